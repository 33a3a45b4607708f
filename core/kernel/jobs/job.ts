import type { Dependencies, Resolved } from '../../di/token.ts';
import type { Duration } from './duration.ts';

/** The argument of one run of a job. */
export interface JobRun {
  /** Aborts at the job's deadline, when the service stops, and when another process may have claimed the job. */
  readonly signal: AbortSignal;
}

type JobOf<D> = {
  /** Lower case with hyphens, unique in the plugin. The job's id is `<plugin>:<name>`. */
  readonly name: string;
  /** One line for operators. */
  readonly summary: string;
  /** The interval from the end of one run to the next: 100 ms to 365 days. A function, where a setting determines it. */
  readonly every: Duration | ((deps: D) => Duration);
  /** How long a run may take; after that its signal aborts and the run counts as failed. Default `10m`. */
  readonly deadline?: Duration;
  readonly run: (run: JobRun, deps: D) => void | Promise<void>;
};

/** Scheduled work of a plugin, done once per installation, whatever its number of processes. */
export type Job = JobOf<never> & { readonly deps: Dependencies };

/** Declares a job of a plugin. */
export function job<D extends Dependencies>(definition: JobOf<Resolved<D>> & { readonly deps: D }): Job {
  return definition as unknown as Job;
}

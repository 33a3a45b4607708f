import type { Dependencies, Resolved } from '../../di/token.ts';
import type { Duration } from './duration.ts';

/** What one run of a job is handed. */
export interface JobRun {
  /** Aborted at the job's deadline, when the service stops, and when another process may have taken the job over. */
  readonly signal: AbortSignal;
}

/** When a job runs: at an interval, counted from the end of the run before, or at the times of a cron expression. */
type When<D> =
  | { readonly every: Duration | ((deps: D) => Duration); readonly cron?: never; readonly timeZone?: never }
  | {
      /** Five fields, or six with seconds before them. */
      readonly cron: string | ((deps: D) => string);
      /** The IANA name of the zone that the fields are in, such as `Europe/Berlin`; UTC by default. */
      readonly timeZone?: string;
      readonly every?: never;
    };

type Common<D> = {
  /** Lower case with hyphens, unique in the plugin. The job's id is `<plugin>:<name>`. */
  readonly name: string;
  /** One line for operators. */
  readonly summary: string;
  /** The longest that a run may take: its signal is aborted then, and the run counts as failed. Default `10m`. */
  readonly deadline?: Duration;
  readonly run: (run: JobRun, deps: D) => void | Promise<void>;
};

/** Work that a plugin does at regular times, once per installation however many processes it has. */
export type Job = Common<never> & When<never> & { readonly deps: Dependencies };

/** Declares a job of a plugin. `every` and `cron` may be functions, so that a setting can decide. */
export function job<D extends Dependencies>(
  definition: Common<Resolved<D>> & When<Resolved<D>> & { readonly deps: D },
): Job {
  return definition as unknown as Job;
}

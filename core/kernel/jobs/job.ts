import type { Dependencies, Resolved } from '../../di/token.ts';
import type { Duration } from './duration.ts';

/** The argument of one run of a job. */
export interface JobRun {
  /** Aborts at the job's deadline, when the service stops, and when another process may have claimed the job. */
  readonly signal: AbortSignal;
}

/** When a job runs: at an interval, counted from the end of the previous run, or at the times of a cron expression. */
type When<D> =
  | { readonly every: Duration | ((deps: D) => Duration); readonly cron?: never; readonly timeZone?: never }
  | {
      /** Five fields, or six with seconds first. */
      readonly cron: string | ((deps: D) => string);
      /** The IANA time zone of the expression, such as `Europe/Berlin`; UTC by default. */
      readonly timeZone?: string;
      readonly every?: never;
    };

type Common<D> = {
  /** Lower case with hyphens, unique in the plugin. The job's id is `<plugin>:<name>`. */
  readonly name: string;
  /** One line for operators. */
  readonly summary: string;
  /**
   * How long a run may take; default `10m`. After that its signal aborts, and the run counts as failed when it ends. One
   * that ignores the signal is logged and keeps its hold on the job, which would otherwise run beside itself.
   */
  readonly deadline?: Duration;
  readonly run: (run: JobRun, deps: D) => void | Promise<void>;
};

/** Scheduled work of a plugin, done once per installation, whatever its number of processes. */
export type Job = Common<never> & When<never> & { readonly deps: Dependencies };

/** Declares a job of a plugin. `every` and `cron` may be functions, so that a setting can determine them. */
export function job<D extends Dependencies>(
  definition: Common<Resolved<D>> & When<Resolved<D>> & { readonly deps: D },
): Job {
  return definition as unknown as Job;
}

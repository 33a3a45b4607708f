import { token } from '../../di/token.ts';

/** A job as operators see it. Times are milliseconds since 1970. */
export interface JobState {
  /** `<plugin>:<name>`. */
  readonly id: string;
  readonly summary: string;
  /** `every 5m`, or `0 3 * * * (Europe/Berlin)`. */
  readonly schedule: string;
  readonly isRunning: boolean;
  /** `undefined` before the first start that knows the job. */
  readonly dueAt: number | undefined;
  /** How the last run ended; `undefined` before there was one. */
  readonly last: JobEnd | undefined;
  /** Runs that failed one after the other, up to now. */
  readonly failures: number;
}

/** How a run of a job ended. */
export interface JobEnd {
  readonly at: number;
  readonly durationMs: number;
  /** What went wrong; `undefined` for a run that did its work. */
  readonly fault: string | undefined;
}

/** The jobs of this installation: of all plugins, over all processes. */
export interface Jobs {
  /** In boot order of their plugins. */
  list(): Promise<readonly JobState[]>;
  /**
   * Runs a job now, and resolves when it has ended; false when it is running already, here or in another process. Throws
   * what the job throws, and an `Error` that names the known jobs for an unknown id.
   */
  run(id: string): Promise<boolean>;
}

/** The scheduled jobs of all plugins, to list and to run. */
export const JOBS = token<Jobs>('core:jobs');

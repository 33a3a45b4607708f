/** The state of a job for operators. Times are milliseconds since 1970. */
export interface JobState {
  /** `<plugin>:<name>`. */
  readonly id: string;
  readonly summary: string;
  /** `every 5m`, or `0 3 * * * (Europe/Berlin)`. */
  readonly schedule: string;
  readonly isRunning: boolean;
  /** `undefined` until the first start with the job. */
  readonly dueAt: number | undefined;
  /** How the last run ended; `undefined` when the job has not run yet. */
  readonly last: JobEnd | undefined;
  /** The number of consecutive failed runs up to now. */
  readonly failures: number;
}

/** How a run of a job ended. */
export interface JobEnd {
  readonly at: number;
  readonly durationMs: number;
  /** The error message; `undefined` for a successful run. */
  readonly fault: string | undefined;
}

/** The jobs of this installation, of all plugins. */
export interface Jobs {
  /** In boot order of their plugins. */
  list(): Promise<readonly JobState[]>;
  /**
   * Runs a job now and resolves when it has ended; with `false` when it is already running, here or in another process.
   * Throws what the job throws, and a `StartupError` that lists the known jobs for an unknown id.
   */
  run(id: string): Promise<boolean>;
}

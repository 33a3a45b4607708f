import type { Database } from '../../persistence/database.ts';

/**
 * How long a process claims the row of a job. It renews the lease while the job runs; the lease of a process that died
 * expires.
 */
export const LEASE_MS = 60_000;

/** The row of a job. Times are milliseconds since 1970. */
export interface JobRow {
  readonly job: string;
  readonly due_at: number;
  /** The process that runs the job; `null` when none does. */
  readonly holder: string | null;
  readonly lease_until: number;
  readonly ended_at: number | null;
  readonly duration_ms: number | null;
  readonly fault: string | null;
  readonly failures: number;
}

/** How a run ended. */
export interface RunEnd {
  readonly endedAt: number;
  readonly durationMs: number;
  readonly dueAt: number;
  /** The error message; `null` for a successful run. */
  readonly fault: string | null;
}

/** The table `core_jobs`: when each job is due, which process runs it, and how its last run ended. */
export class JobTable {
  readonly #database: Database;
  readonly #holder: string;

  /** `holder` identifies this process. */
  constructor(database: Database, holder: string) {
    this.#database = database;
    this.#holder = holder;
  }

  async rows(): Promise<readonly JobRow[]> {
    return this.#table().select('*');
  }

  async row(job: string): Promise<JobRow | undefined> {
    return this.#table().where({ job }).first();
  }

  /** Creates the row of a job if it is missing, and moves the due time forward when the schedule became more frequent. */
  async plan(job: string, dueAt: number): Promise<void> {
    await this.#table()
      .insert({ job, due_at: dueAt, lease_until: 0, failures: 0 })
      .onConflict('job')
      .ignore();
    await this.#table().where({ job }).where('due_at', '>', dueAt).update({ due_at: dueAt });
  }

  /** Claims the job for this process; false when another process has claimed it, or when `isDue` is set and it is not due. */
  async claim(job: string, now: number, { isDue }: { readonly isDue: boolean }): Promise<boolean> {
    const free = this.#table()
      .where({ job })
      // The second condition covers a clock that was set back in the meantime.
      .where(
        (row) => void row.where('lease_until', '<=', now).orWhere('lease_until', '>', now + 2 * LEASE_MS),
      );
    if (isDue) void free.where('due_at', '<=', now);
    const taken = await free.update({
      holder: this.#holder,
      lease_until: now + LEASE_MS,
    });
    return taken === 1;
  }

  /** Renews the lease; false when another process has claimed the job. */
  async renew(job: string, now: number): Promise<boolean> {
    return (await this.#own(job).update({ lease_until: now + LEASE_MS })) === 1;
  }

  /** Releases the job unchanged, so that another process can run it. */
  async release(job: string): Promise<void> {
    await this.#own(job).update({ holder: null, lease_until: 0 });
  }

  /** Stores how the run ended and releases the job. */
  async end(job: string, { endedAt, durationMs, dueAt, fault }: RunEnd): Promise<void> {
    await this.#own(job).update({
      holder: null,
      lease_until: 0,
      due_at: dueAt,
      ended_at: endedAt,
      duration_ms: Math.round(durationMs),
      fault,
      failures: fault === null ? 0 : this.#database.knex.raw('failures + 1'),
    });
  }

  #own(job: string) {
    return this.#table().where({ job, holder: this.#holder });
  }

  #table() {
    return this.#database.knex<JobRow>('core_jobs');
  }
}

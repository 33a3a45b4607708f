import type { Database } from '../../persistence/database.ts';

/**
 * A process that runs a job holds its row for so long, and renews that while the job runs. The row of a process that died
 * is free when the time is over.
 */
export const LEASE_MS = 60_000;

/** The row of a job. Times are milliseconds since 1970. */
export interface JobRow {
  readonly job: string;
  readonly due_at: number;
  /** The process that runs it; `null` when none does. */
  readonly holder: string | null;
  readonly lease_until: number;
  readonly started_at: number | null;
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
  /** What went wrong; `null` for a run that did its work. */
  readonly fault: string | null;
}

/** The table `core_jobs`: when each job is due, which process runs it, and how its last run ended. */
export class JobTable {
  readonly #database: Database;
  readonly #holder: string;

  /** `holder` tells this process from others. */
  constructor(database: Database, holder: string) {
    this.#database = database;
    this.#holder = holder;
  }

  async rows(): Promise<readonly JobRow[]> {
    const rows = await this.#table().select('*').orderBy('job');
    return rows.map(plain);
  }

  async row(job: string): Promise<JobRow | undefined> {
    const row = await this.#table().where({ job }).first();
    return row && plain(row);
  }

  /** Makes the row of a job that has none, and brings the time forward where the schedule became denser. */
  async plan(job: string, dueAt: number): Promise<void> {
    await this.#table()
      .insert({ job, due_at: dueAt, lease_until: 0, failures: 0 })
      .onConflict('job')
      .ignore();
    await this.#table().where({ job }).where('due_at', '>', dueAt).update({ due_at: dueAt });
  }

  /** Takes the job for this process; false when another one has it, or when it is not due and `isDue` asks for that. */
  async take(job: string, now: number, { isDue }: { readonly isDue: boolean }): Promise<boolean> {
    const free = this.#table()
      .where({ job })
      // The second is for a clock that was set back meanwhile.
      .where(
        (row) => void row.where('lease_until', '<=', now).orWhere('lease_until', '>', now + 2 * LEASE_MS),
      );
    if (isDue) void free.where('due_at', '<=', now);
    const taken = await free.update({
      holder: this.#holder,
      lease_until: now + LEASE_MS,
      started_at: now,
    });
    return taken === 1;
  }

  /** Holds the job for another while; false when another process has taken it. */
  async renew(job: string, now: number): Promise<boolean> {
    return (await this.#own(job).update({ lease_until: now + LEASE_MS })) === 1;
  }

  /** Gives the job back as it was, for another process to run. */
  async giveBack(job: string): Promise<void> {
    await this.#own(job).update({ holder: null, lease_until: 0 });
  }

  /** Notes how the run ended and gives the job back. */
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

const INTEGERS = ['due_at', 'lease_until', 'started_at', 'ended_at', 'duration_ms'] as const;

/** PostgreSQL answers large integers as text. */
function plain(row: JobRow): JobRow {
  const numbers = INTEGERS.filter((name) => row[name] !== null).map((name) => [name, Number(row[name])]);
  return { ...row, ...Object.fromEntries(numbers) };
}

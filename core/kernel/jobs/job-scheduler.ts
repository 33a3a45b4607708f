import type { Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BoundJob } from './bound-job.ts';
import type { JobRunner } from './job-runner.ts';
import type { JobTable } from './job-table.ts';

/** The table is read at least this often, because the clock may be changed and other processes may change rows. */
const LONGEST_SLEEP_MS = 600_000;
const AFTER_FAILURE_MS = 5000;
/** Prevents a timer that is rounded down from firing early again and again. */
const SHORTEST_SLEEP_MS = 10;

export interface JobSchedulerDeps {
  readonly table: JobTable;
  readonly runner: JobRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Wakes this process when a job is due. Of all processes of an installation, the one that claims the row runs the job. */
export class JobScheduler {
  readonly #deps: JobSchedulerDeps;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isStopped = false;

  constructor(deps: JobSchedulerDeps) {
    this.#deps = deps;
  }

  start(jobs: readonly BoundJob[]): void {
    for (const job of jobs) void this.#wake(job);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #wake(job: BoundJob): Promise<void> {
    const sleepMs = await this.#check(job).catch((error: unknown) => {
      this.#deps.logger.warn({ job: job.id, err: error }, 'The time of a job could not be read or stored');
      return AFTER_FAILURE_MS;
    });
    if (this.#isStopped) return;
    const wait = Math.min(Math.max(sleepMs, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
    this.#timers.set(job.id, setTimeout(() => void this.#wake(job), wait).unref());
  }

  /** Runs the job if it is due and not claimed; returns the milliseconds until the next check. */
  async #check(job: BoundJob): Promise<number> {
    const { table, runner, clock } = this.#deps;
    const now = clock.now();
    await table.plan(job.id, now + job.intervalMs);
    if (!this.#isStopped && (await table.claim(job.id, now, { isDue: true }))) await runner.run(job);
    const row = await table.row(job.id);
    if (row === undefined) return AFTER_FAILURE_MS;
    const isLeased = row.lease_until > clock.now();
    return Math.max(row.due_at, isLeased ? row.lease_until : 0) - clock.now();
  }
}

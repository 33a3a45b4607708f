import type { Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BoundJob } from './bound-job.ts';
import { LEASE_MS, type JobTable } from './job-table.ts';

const RENEW_MS = LEASE_MS / 3;
/** Characters of an error message that are stored. */
const LONGEST_FAULT = 1000;
/** The table is read at least this often, because the clock may be changed and other processes may change rows. */
const LONGEST_SLEEP_MS = 600_000;
const AFTER_FAILURE_MS = 5000;
/** How long a run may take to end after its deadline before the log names it. */
const ENDS_WITHIN_MS = 1000;
/** Prevents a timer that is rounded down from firing early again and again. */
const SHORTEST_SLEEP_MS = 10;

export interface JobRunnerDeps {
  readonly table: JobTable;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs jobs and stores how they ended. Of all processes of an installation, the one that claims the row runs the job. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #stopping = new AbortController();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
  }

  /** Starts running jobs when they are due. */
  start(jobs: readonly BoundJob[]): void {
    for (const job of jobs) void this.#wake(job);
  }

  /** Starts no more runs, aborts the current ones, and resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#running);
  }

  /**
   * Runs a job and resolves with its error, if any; with `undefined` when another run of it has not ended, or when `isDue` is
   * set and it is not due. Throws only errors of the table.
   */
  async run(
    job: BoundJob,
    { isDue }: { readonly isDue: boolean },
  ): Promise<{ readonly fault: Error | undefined } | undefined> {
    const run = this.#runIfFree(job, isDue);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async #runIfFree(
    job: BoundJob,
    isDue: boolean,
  ): Promise<{ readonly fault: Error | undefined } | undefined> {
    const { table, clock } = this.#deps;
    const { signal } = this.#stopping;
    if (signal.aborted) return undefined;
    const now = clock.now();
    await table.plan(job.id, job.schedule.next(now));
    if (signal.aborted || !(await table.claim(job.id, now, { isDue }))) return undefined;
    if (!signal.aborted) return { fault: await this.#run(job) };
    await table.release(job.id);
    return undefined;
  }

  async #wake(job: BoundJob): Promise<void> {
    const sleepMs = await this.#runWhenDue(job).catch((error: unknown) => {
      this.#deps.logger.warn({ job: job.id, err: error }, 'The time of a job could not be read or stored');
      return AFTER_FAILURE_MS;
    });
    if (this.#stopping.signal.aborted) return;
    const wait = Math.min(Math.max(sleepMs, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
    this.#timers.set(job.id, setTimeout(() => void this.#wake(job), wait).unref());
  }

  /** Returns the milliseconds until the next check. */
  async #runWhenDue(job: BoundJob): Promise<number> {
    const { table, clock } = this.#deps;
    await this.run(job, { isDue: true });
    // After the stop the database may be closed.
    if (this.#stopping.signal.aborted) return 0;
    const row = await table.row(job.id);
    if (row === undefined) return AFTER_FAILURE_MS;
    const isLeased = row.lease_until > clock.now();
    return Math.max(row.due_at, isLeased ? row.lease_until : 0) - clock.now();
  }

  async #run(job: BoundJob): Promise<Error | undefined> {
    const { table, clock, logger } = this.#deps;
    const began = clock.elapsed();
    const lost = new AbortController();
    const deadline = AbortSignal.timeout(job.deadlineMs);
    const renewing = setInterval(() => void this.#renew(job, lost), RENEW_MS).unref();
    const overdue = setTimeout(
      () => logger.error({ job: job.id }, 'A job is past its deadline and has not ended'),
      job.deadlineMs + ENDS_WITHIN_MS,
    ).unref();
    const fault = await faultOf(job, AbortSignal.any([this.#stopping.signal, lost.signal, deadline]));
    clearInterval(renewing);
    clearTimeout(overdue);
    const durationMs = clock.elapsed() - began;
    if (fault && this.#stopping.signal.aborted) {
      await table.release(job.id);
      return fault;
    }
    const failure = deadline.aborted ? new Error(lateText(job), { cause: fault }) : fault;
    if (failure) logger.error({ job: job.id, err: failure }, 'A job failed');
    else logger.debug({ job: job.id, ms: Math.round(durationMs) }, 'job done');
    const endedAt = clock.now();
    await table.end(job.id, {
      endedAt,
      durationMs,
      dueAt: job.schedule.next(endedAt),
      fault: failure ? failure.message.slice(0, LONGEST_FAULT) : null,
    });
    return failure;
  }

  /** Renews the lease. A process that cannot renew it must end the run before another process starts the job. */
  async #renew(job: BoundJob, lost: AbortController): Promise<void> {
    const { table, clock, logger } = this.#deps;
    try {
      if (await table.renew(job.id, clock.now())) return;
      lost.abort(new Error('Another process took the job over.'));
    } catch (error) {
      logger.warn({ job: job.id, err: error }, 'A running job could not renew its lease and is ended');
      lost.abort(error);
    }
  }
}

async function faultOf(job: BoundJob, signal: AbortSignal): Promise<Error | undefined> {
  try {
    await job.run({ signal });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lateText({ deadlineMs }: BoundJob): string {
  return `The run did not end within its deadline of ${deadlineMs / 1000} s.`;
}

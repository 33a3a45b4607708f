import type { Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BoundJob } from './bound-job.ts';
import { LEASE_MS, type JobTable } from './job-table.ts';

const RENEW_MS = LEASE_MS / 3;
/** Characters of an error message that are stored. */
const LONGEST_FAULT = 1000;

export interface JobRunnerDeps {
  readonly table: JobTable;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs jobs that this process has claimed, and stores how they ended. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
  }

  /** Resolves with the error of the run, or `undefined`; throws only errors of the table. */
  async run(job: BoundJob): Promise<Error | undefined> {
    const work = this.#run(job);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Aborts the current runs, and resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    await Promise.allSettled(this.#running);
  }

  async #run(job: BoundJob): Promise<Error | undefined> {
    const { table, clock, logger } = this.#deps;
    const began = clock.elapsed();
    const lost = new AbortController();
    const deadline = AbortSignal.timeout(job.deadlineMs);
    const renewing = setInterval(() => void this.#renew(job, lost), RENEW_MS).unref();
    const fault = await faultOf(job, AbortSignal.any([this.#stopping.signal, lost.signal, deadline]));
    clearInterval(renewing);
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
      dueAt: endedAt + job.intervalMs,
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

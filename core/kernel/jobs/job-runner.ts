import type { Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BoundJob } from './bound-job.ts';
import { LEASE_MS, type JobTable } from './job-table.ts';

const RENEW_MS = LEASE_MS / 3;
/** A fault is kept for operators to read, not for its whole trace. */
const LONGEST_FAULT = 1000;

export interface JobRunnerDeps {
  readonly table: JobTable;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs jobs that this process has taken, and notes how they ended. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
  }

  /** Resolves with what went wrong, or `undefined`; throws only what the table throws. */
  async run(job: BoundJob): Promise<Error | undefined> {
    const work = this.#run(job);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Aborts what runs, and resolves when it has ended. */
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
      await table.giveBack(job.id);
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

  /** A process that cannot renew its lease must end the run before another one begins it. */
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

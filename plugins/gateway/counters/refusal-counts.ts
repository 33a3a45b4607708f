import { setTimeout as pause } from 'node:timers/promises';
import {
  isoTime,
  lowestIdAt,
  newId,
  token,
  UniqueViolation,
  withDeadline,
  type BatchInsert,
  type Clock,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import type { CallChannel, TimeRollups } from '../../invocation/contract.ts';
import { outcomeRollup, type RefusalCode } from './gateway-counters.ts';
import { ALL, refusalRollup } from './refusal-series.ts';

/** How long the answer to a refused request waits for its count to be stored, in milliseconds. */
const WAIT_MS = 200;
/** The pause between two writes, so that a flood of refusals does not delay the records of calls. */
const BETWEEN_WRITES_MS = 20;
const AFTER_FAILURE_MS = 1000;
const MINUTE_MS = 60_000;
/** A batch whose answer was lost is written again as soon as the database is back. */
const MARK_KEPT_MS = 3_600_000;

export interface RefusalCountsDeps {
  readonly database: Pick<Database, 'engine' | 'write'>;
  readonly rollups: Pick<TimeRollups, 'keep'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Refusals on a channel with the same code, in the same minute, of requests to call an algorithm. */
interface Refused {
  readonly channel: CallChannel;
  readonly code: RefusalCode;
  /** Absent where it is not known, or the caller sees none. */
  readonly algorithmId: string | undefined;
  /** When the last of them was refused, in milliseconds since 1970. */
  readonly at: number;
  readonly requests: number;
}

/** Refusals that are written together. */
interface Batch {
  /** Identifies the batch in its mark. */
  readonly id: string;
  readonly refused: readonly Refused[];
}

/**
 * Counts refusals durably and exactly once. The next write takes all refusals that arrive during a write. While the
 * database is away, counts stay in memory and are written later; only a crash can lose them. A failed batch is written
 * again unchanged, since the database may have committed it before the connection broke.
 */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  readonly #outcomes;
  readonly #series;
  #refused = new Map<string, Refused>();
  /** Resolves when the last write that began is over, and the pause after it. */
  #last: Promise<void> = Promise.resolve();
  /** The write after it, of what arrives meanwhile. */
  #next: Promise<void> | undefined;
  #isStopping = false;

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps;
    this.#outcomes = outcomeRollup.writer(deps.database);
    this.#series = deps.rollups.keep(refusalRollup);
  }

  /** Counts one refusal. Resolves when it is stored, or after `WAIT_MS` when the database is slow or away. */
  async count(
    channel: CallChannel,
    { code, algorithmId }: Pick<Refused, 'code' | 'algorithmId'>,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    const key = `${channel} ${code} ${algorithmId ?? ''} ${Math.floor(at / MINUTE_MS)}`;
    const requests = (this.#refused.get(key)?.requests ?? 0) + 1;
    this.#refused.set(key, { channel, code, algorithmId, at, requests });
    await this.stored();
  }

  /** Resolves when all earlier refusals are stored, or after `WAIT_MS`. */
  async stored(): Promise<void> {
    await withDeadline(WAIT_MS, this.#stored(), () => undefined);
  }

  /** Writes the remaining counts, and logs those that the database does not take. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#stored();
  }

  #stored(): Promise<void> {
    if (this.#refused.size > 0) this.#next ??= this.#last.then(() => this.#writeNext());
    return this.#next ?? this.#last;
  }

  #writeNext(): Promise<void> {
    const stored = this.#write({ id: newId(), refused: [...this.#refused.values()] });
    this.#refused = new Map();
    this.#next = undefined;
    this.#last = stored.then(() => pause(BETWEEN_WRITES_MS));
    return stored;
  }

  async #write(batch: Batch): Promise<void> {
    const { logger } = this.#deps;
    for (;;) {
      // What fails after the stop is not tried again.
      const isLastTry = this.#isStopping;
      try {
        return await this.#store(batch);
      } catch (error) {
        if (isLastTry) {
          const message = 'Refusals were counted, but the store no longer took the counts.';
          return logger.error({ refusals: sumOf(batch) }, message);
        }
        logger.warn({ err: error }, 'Refusals could not be counted in the store; they are kept.');
      }
      await pause(AFTER_FAILURE_MS);
    }
  }

  async #store({ id, refused }: Batch): Promise<void> {
    const outcomes = refused.map(({ channel, code, requests, at }) => [channel, code, requests, isoTime(at)]);
    const points = refused.flatMap(({ at, algorithmId, code, requests }) => {
      const algorithms = algorithmId === undefined ? [ALL] : [ALL, algorithmId];
      return algorithms.map((algorithm) => [at, algorithm, code, requests] as const);
    });
    try {
      await this.#deps.database.write([
        this.#outcomes.append(outcomes),
        this.#series.append(points),
        markOf(id),
      ]);
    } catch (error) {
      // The batch is stored already; only the answer of the database was lost.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
}

/** The mark of a batch, inserted with its counts, so that storing it again is a `UniqueViolation`. */
function markOf(id: string): BatchInsert {
  return { table: 'gateway_refusal_batches', columns: { id: 'text' }, rows: [[id]] };
}

/** Deletes the marks of batches that are not written again. */
export async function deleteOldMarks(database: Pick<Database, 'write'>, now: number): Promise<void> {
  const sql = 'DELETE FROM gateway_refusal_batches WHERE id < ?';
  await database.write([], [{ sql, values: [lowestIdAt(now - MARK_KEPT_MS)] }]);
}

function sumOf({ refused }: Batch): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { channel, code, requests } of refused) {
    const counted = `${channel}:${code}`;
    sum[counted] = (sum[counted] ?? 0) + requests;
  }
  return sum;
}

export const REFUSAL_COUNTS = token<RefusalCounts>('gateway:refusal-counts');

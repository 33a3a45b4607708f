import { setTimeout as pause } from 'node:timers/promises';
import {
  DAY_MS,
  newId,
  token,
  UniqueViolation,
  withDeadline,
  type BatchInsert,
  type Clock,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import type { Counted, GatewayCounters, Path } from './gateway-counters.ts';
import type { RefusalSeries, Refused } from './refusal-series.ts';

/** How long the answer to a refused request waits for its count to be stored, in milliseconds. */
const WAIT_MS = 200;
/** The pause between two writes, so that a flood of refusals does not delay the records of calls. */
const BETWEEN_WRITES_MS = 20;
const AFTER_FAILURE_MS = 1000;
const MINUTE_MS = 60_000;
const MARK_KEPT_MS = 7 * DAY_MS;
/** How many algorithms a batch names, so that a caller who cycles through them does not make rows without end. */
const MAX_NAMED = 100;

export interface RefusalCountsDeps {
  readonly database: Pick<Database, 'write'>;
  readonly counters: Pick<GatewayCounters, 'add'>;
  readonly series: Pick<RefusalSeries, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Refusals that are written together. */
interface Batch {
  readonly number: number;
  readonly counts: Map<Counted, number>;
  /** The same over time. */
  readonly refused: Map<string, Refused>;
  /** The algorithms that it names; refusals of further ones count among those of all only. */
  readonly named: Set<string>;
  readonly stored: Promise<void>;
  readonly settle: () => void;
}

/**
 * Counts refusals durably and exactly once. The next write takes all refusals that arrive during a write. While the
 * database is away, counts stay in memory and are written later; only a crash can lose them. A failed batch is written
 * again unchanged, since the database may have committed it before the connection broke.
 */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  /** Identifies this process in the marks of stored batches. */
  readonly #writer = newId();
  #batch = newBatch(1);
  /** The batch that is being written, or will be written again after a failure. */
  #due: Batch | undefined;
  #writing: Promise<void> | undefined;
  #stopping = false;

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps;
  }

  /** Counts one refusal. Resolves when it is stored, or after `WAIT_MS` when the database is slow or away. */
  async count(path: Path, { code, algorithmId }: Pick<Refused, 'code' | 'algorithmId'>): Promise<void> {
    const { counts, refused, named } = this.#batch;
    const counted: Counted = `${path}:${code}`;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
    const at = Math.floor(this.#deps.clock.now() / MINUTE_MS) * MINUTE_MS;
    if (algorithmId !== undefined && named.size < MAX_NAMED) named.add(algorithmId);
    const name = algorithmId !== undefined && named.has(algorithmId) ? algorithmId : undefined;
    const key = `${at} ${code} ${name ?? ''}`;
    const requests = (refused.get(key)?.requests ?? 0) + 1;
    refused.set(key, { code, algorithmId: name, at, requests });
    await this.stored();
  }

  /** Resolves when all earlier refusals are stored, or after `WAIT_MS`. */
  async stored(): Promise<void> {
    const batch = this.#batch;
    if (this.#hasPending) this.#writing ??= this.#write();
    const stored = batch.counts.size > 0 ? batch.stored : this.#writing;
    await withDeadline(WAIT_MS, stored, () => undefined);
  }

  /** Writes the remaining counts, and logs those that the database does not take. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.stored();
    let isStored = true;
    while (isStored && this.#hasPending) isStored = await this.#writeBatch();
    if (isStored) return;
    const refusals = sumOf([this.#due, this.#batch]);
    this.#deps.logger.error({ refusals }, 'Refusals were counted, but the store no longer took the counts.');
  }

  get #hasPending(): boolean {
    return this.#due !== undefined || this.#batch.counts.size > 0;
  }

  async #write(): Promise<void> {
    try {
      while (this.#hasPending) {
        const isStored = await this.#writeBatch();
        if (!isStored && this.#stopping) return;
        if (this.#hasPending) {
          await pause(isStored ? BETWEEN_WRITES_MS : AFTER_FAILURE_MS, undefined, { ref: false });
        }
      }
    } finally {
      this.#writing = undefined;
    }
  }

  /** Returns whether the batch is stored. */
  async #writeBatch(): Promise<boolean> {
    const batch = (this.#due ??= this.#takeBatch());
    try {
      await this.#store(batch);
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'Refusals could not be counted in the store; they are kept.');
      return false;
    }
    if (this.#due === batch) this.#due = undefined;
    batch.settle();
    return true;
  }

  #takeBatch(): Batch {
    const batch = this.#batch;
    this.#batch = newBatch(batch.number + 1);
    return batch;
  }

  async #store({ number, counts, refused }: Batch): Promise<void> {
    const { database, clock, counters, series } = this.#deps;
    const now = clock.now();
    const rows = [counters.add(counts, now), series.add(refused.values()), markOf(this.#writer, number, now)];
    try {
      await database.write(rows, [deleteMarksBefore(this.#writer, number)]);
    } catch (error) {
      // The batch is stored already; only the answer of the database was lost.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
}

/** The mark of a batch, inserted with its counts, so that storing it again is a `UniqueViolation`. */
function markOf(writer: string, number: number, now: number): BatchInsert {
  return {
    table: 'gateway_refusal_batches',
    columns: { writer: 'text', number: 'integer', stored_at: 'integer' },
    rows: [[writer, number, now]],
  };
}

function deleteMarksBefore(writer: string, number: number) {
  return {
    sql: 'DELETE FROM gateway_refusal_batches WHERE writer = ? AND number < ?',
    values: [writer, number],
  };
}

/** Deletes marks that are a week old; no batch is written again after that time. */
export async function deleteOldMarks(database: Pick<Database, 'write'>, now: number): Promise<void> {
  const sql = 'DELETE FROM gateway_refusal_batches WHERE stored_at < ?';
  await database.write([], [{ sql, values: [now - MARK_KEPT_MS] }]);
}

function sumOf(batches: readonly (Batch | undefined)[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [code, count] of batches.flatMap((batch) => [...(batch?.counts ?? [])])) {
    sum[code] = (sum[code] ?? 0) + count;
  }
  return sum;
}

function newBatch(number: number): Batch {
  let settle = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { number, counts: new Map(), refused: new Map(), named: new Set(), stored, settle };
}

export const REFUSAL_COUNTS = token<RefusalCounts>('gateway:refusal-counts');

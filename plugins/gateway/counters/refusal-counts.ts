import { setTimeout as pause } from 'node:timers/promises';
import {
  isoTime,
  newId,
  token,
  UniqueViolation,
  withDeadline,
  type Clock,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import { addToCounters, type RefusalCode } from './counters-table.ts';
import { forgetBatchesBefore, markBatch } from './refusal-batches.ts';

/** Refusals that are answered when they are stored wait at most so long for it. */
const PATIENCE_MS = 200;
/** Under a flood of refusals: a write at most this often, so that records of calls are not held up. */
const BETWEEN_WRITES_MS = 20;
const AFTER_FAILURE_MS = 1000;
/** In batches. */
const BETWEEN_FORGETTING = 100;

export interface RefusalCountsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Refusals that are written together. */
interface Batch {
  readonly number: number;
  readonly counts: Map<RefusalCode, number>;
  readonly stored: Promise<void>;
  readonly settle: () => void;
}

/**
 * Counts refusals durably, and once. Those that come while a write is under way are written together by the next one.
 * When the store is away they are kept and written later; only a crash while it is away can lose them. A write that failed
 * is repeated as it was, for the store may have taken it before the connection broke.
 */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  readonly #writer = newId();
  #batch = newBatch(1);
  /** The one that is being written, or is to be written again. */
  #due: Batch | undefined;
  #writing: Promise<void> | undefined;
  #stopping = false;

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps;
  }

  /** Counts one, and resolves when it is stored, or after a moment when the store is slow or away. */
  async count(code: RefusalCode): Promise<void> {
    const { counts } = this.#batch;
    counts.set(code, (counts.get(code) ?? 0) + 1);
    await this.stored();
  }

  /** Resolves when everything that was counted so far is stored, or after a moment. */
  async stored(): Promise<void> {
    const batch = this.#batch;
    if (this.#isAnythingLeft) this.#writing ??= this.#write();
    await withDeadline(PATIENCE_MS, batch.counts.size > 0 ? batch.stored : this.#writing, () => undefined);
  }

  /** Writes what is left. Says what is lost when the store does not take it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.stored();
    let isTaken = true;
    while (isTaken && this.#isAnythingLeft) isTaken = await this.#writeBatch();
    if (isTaken) return;
    this.#deps.logger.error(
      { refusals: sumOf([this.#due, this.#batch]) },
      'Refusals were counted, but the store took the counts no more.',
    );
  }

  get #isAnythingLeft(): boolean {
    return this.#due !== undefined || this.#batch.counts.size > 0;
  }

  async #write(): Promise<void> {
    try {
      while (this.#isAnythingLeft) {
        const stored = await this.#writeBatch();
        if (!stored && this.#stopping) return;
        if (this.#isAnythingLeft) {
          await pause(stored ? BETWEEN_WRITES_MS : AFTER_FAILURE_MS, undefined, { ref: false });
        }
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeBatch(): Promise<boolean> {
    const batch = (this.#due ??= this.#takeBatch());
    try {
      await this.#store(batch);
    } catch (error) {
      this.#deps.logger.warn(
        { err: error },
        'Refusals could not be counted in the store; they are kept for later.',
      );
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

  async #store({ number, counts }: Batch): Promise<void> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const name = { writer: this.#writer, number };
    const rows = [addToCounters(counts, isoTime(now)), markBatch(name, now)];
    const isTimeToForget = number % BETWEEN_FORGETTING === 1;
    try {
      await database.write(rows, isTimeToForget ? [forgetBatchesBefore(name, now)] : []);
    } catch (error) {
      // Stored already: what was lost was the answer.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
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
  return { number, counts: new Map(), stored, settle };
}

export const REFUSAL_COUNTS = token<RefusalCounts>('gateway:refusal-counts');

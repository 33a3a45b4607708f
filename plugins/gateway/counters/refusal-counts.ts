import { setTimeout as pause } from 'node:timers/promises';
import { isoTime, token, waitAtMost, type Clock, type Database, type Logger } from '../../../core/index.ts';
import { addToCounters, type RefusalCode } from './counters-table.ts';

/** Refusals that are answered when they are stored wait at most so long for it. */
const PATIENCE_MS = 200;
/** Under a flood of refusals: a write at most this often, so that records of calls are not held up. */
const BETWEEN_WRITES_MS = 20;
const AFTER_FAILURE_MS = 1000;

export interface RefusalCountsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shard: number;
}

/** Refusals that are written together. */
interface Batch {
  readonly counts: Map<RefusalCode, number>;
  readonly stored: Promise<void>;
  readonly settle: () => void;
}

/**
 * Counts refusals durably. Those that come while a write is under way are written together by the next one. When the
 * store is away they are kept and written later; only a crash while it is away can lose them.
 */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  #batch = newBatch();
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
    if (batch.counts.size > 0) this.#writing ??= this.#write();
    await waitAtMost(PATIENCE_MS, batch.counts.size > 0 ? batch.stored : this.#writing);
  }

  /** Writes what is left. Says what is lost when the store does not take it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.stored();
    if (this.#batch.counts.size > 0) await this.#writeBatch();
    const { counts } = this.#batch;
    if (counts.size === 0) return;
    this.#deps.logger.error(
      { refusals: Object.fromEntries(counts) },
      'Refusals were counted, but the store took the counts no more.',
    );
  }

  async #write(): Promise<void> {
    try {
      while (this.#batch.counts.size > 0) {
        const stored = await this.#writeBatch();
        if (!stored && this.#stopping) return;
        if (!stored || this.#batch.counts.size > 0) {
          await pause(stored ? BETWEEN_WRITES_MS : AFTER_FAILURE_MS, undefined, { ref: false });
        }
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeBatch(): Promise<boolean> {
    const { database, clock, logger, shard } = this.#deps;
    const batch = this.#batch;
    this.#batch = newBatch();
    try {
      await database.write([addToCounters(batch.counts, shard, isoTime(clock.now()))]);
      batch.settle();
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'Refusals could not be counted in the store; they are kept for later.');
      this.#keep(batch);
      return false;
    }
  }

  #keep({ counts, settle }: Batch): void {
    for (const [code, count] of counts) {
      this.#batch.counts.set(code, (this.#batch.counts.get(code) ?? 0) + count);
    }
    void this.#batch.stored.then(settle);
  }
}

function newBatch(): Batch {
  let settle = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { counts: new Map(), stored, settle };
}

export const REFUSAL_COUNTS = token<RefusalCounts>('gateway:refusal-counts');

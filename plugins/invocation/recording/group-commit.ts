import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../core/index.ts';
import { payloadCharacters, type CallRow } from './call-row.ts';

/** Rows of a batch at most; a larger batch would delay its first calls. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 8_388_608;
/** The commit is most of the cost of a batch, so a busy service waits a moment for a larger one. */
const MAX_GATHERING_MS = 8;

export interface GroupCommitOptions {
  /** Resolves when the rows are durable. */
  readonly makeDurable: (rows: readonly CallRow[]) => Promise<void>;
  /** Whether a single row may have caused the error; each row of the batch is then committed alone. */
  readonly isPoison: (error: unknown) => boolean;
  readonly clock: Clock;
}

interface Waiting {
  readonly row: CallRow;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits rows that arrive close together in one batch. The next batch collects rows while the present one is written,
 * and continues for as long as each iteration of the event loop adds rows.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  #characters = 0;
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** The number of rows that wait for a batch. */
  get depth(): number {
    return this.#waiting.length;
  }

  /** The payload characters of the rows that wait for a batch. */
  get characters(): number {
    return this.#characters;
  }

  /** Resolves when the row is durable. */
  add(row: CallRow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      this.#characters += payloadCharacters(row);
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no row waits and no batch is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#commit(this.#take());
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    const { clock } = this.#options;
    const end = clock.elapsed() + MAX_GATHERING_MS;
    let before = 0;
    while (this.depth > before && this.depth < MAX_ROWS && clock.elapsed() < end) {
      before = this.depth;
      await nextTurn();
    }
  }

  #take(): readonly Waiting[] {
    let characters = 0;
    let count = 0;
    for (const { row } of this.#waiting) {
      const more = payloadCharacters(row);
      if (count === MAX_ROWS || (count > 0 && characters + more > MAX_CHARACTERS)) break;
      characters += more;
      count += 1;
    }
    this.#characters -= characters;
    return this.#waiting.splice(0, count);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#options.makeDurable(batch.map(({ row }) => row));
    } catch (error) {
      if (batch.length > 1 && this.#options.isPoison(error)) return this.#commitEach(batch);
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  async #commitEach(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await this.#commit([one]);
  }
}

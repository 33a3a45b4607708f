import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../core/index.ts';
import type { CallRow } from './call-row.ts';
import { payloadCharacters } from './size.ts';

/** More would make those wait who came first. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 8_388_608;
/** By then a batch is large enough even where each turn brings little. */
const LONGEST_GATHERING_MS = 8;

export interface GroupCommitOptions {
  /** Resolves when the rows are durable. */
  readonly makeDurable: (rows: readonly CallRow[]) => Promise<void>;
  /** Errors that it recognises are the fault of a row: the batch is halved until that row is alone. */
  readonly isPoison: (error: unknown) => boolean;
  /** With how many rows a batch need not gather any more, as things stand. */
  readonly worthwhile: () => number;
  readonly clock: Clock;
}

interface Waiting {
  readonly row: CallRow;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers records of calls that end close together and has each batch made durable at once. While one batch is on
 * its way the next one gathers, and goes on for as long as each turn of the event loop brings more, up to a worthwhile
 * size. A record that no other can join waits for nothing.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Records that wait for a batch. */
  get depth(): number {
    return this.#waiting.length;
  }

  /** Resolves when the row is durable. */
  add(row: CallRow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    if (this.depth < this.#options.worthwhile()) await nextTurn();
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#commit(this.#take());
    }
    this.#running = undefined;
  }

  /** What a batch costs by itself, here and in the store, is shared by its rows; a loop that has a pause need not save. */
  async #gather(): Promise<void> {
    const { worthwhile, clock } = this.#options;
    const end = clock.elapsed() + LONGEST_GATHERING_MS;
    let before = 0;
    while (this.depth > before && this.depth < worthwhile() && clock.elapsed() < end) {
      before = this.depth;
      await nextTurn();
    }
  }

  #take(): readonly Waiting[] {
    let characters = 0;
    let count = 0;
    for (const { row } of this.#waiting) {
      characters += payloadCharacters(row);
      if (count === MAX_ROWS || (count > 0 && characters > MAX_CHARACTERS)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#options.makeDurable(batch.map(({ row }) => row));
    } catch (error) {
      return batch.length > 1 && this.#options.isPoison(error)
        ? this.#commitHalves(batch)
        : rejectAll(batch, error);
    }
    for (const { resolve } of batch) resolve();
  }

  async #commitHalves(batch: readonly Waiting[]): Promise<void> {
    const middle = batch.length >> 1;
    await this.#commit(batch.slice(0, middle));
    await this.#commit(batch.slice(middle));
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

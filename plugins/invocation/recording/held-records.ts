import type { CallRow } from './call-row.ts';
import { payloadCharacters } from './size.ts';

/** 64 MiB, as much as bodies that arrive may take by default. New calls are refused meanwhile, so few come so far. */
const MOST_CHARACTERS = 67_108_864;
/** What a record is worth beside its payload. */
const RECORD = 1_000;

/** Records that neither the database nor the disk took, in memory until one of them does. */
export class HeldRecords {
  readonly #most: number;
  readonly #batches = new Set<readonly CallRow[]>();
  #characters = 0;

  constructor(mostCharacters = MOST_CHARACTERS) {
    this.#most = mostCharacters;
  }

  /** Batches, oldest first. A batch stays a batch, as in the spool. */
  get batches(): readonly (readonly CallRow[])[] {
    return [...this.#batches];
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  /** How many records there are. */
  get count(): number {
    return this.batches.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether there was room. */
  add(calls: readonly CallRow[]): boolean {
    const characters = charactersOf(calls);
    if (this.#characters + characters > this.#most) return false;
    this.#batches.add(calls);
    this.#characters += characters;
    return true;
  }

  /** Lets go of a batch that the database or the disk has now. */
  delete(calls: readonly CallRow[]): void {
    if (this.#batches.delete(calls)) this.#characters -= charactersOf(calls);
  }
}

function charactersOf(calls: readonly CallRow[]): number {
  return calls.reduce((sum, call) => sum + RECORD + payloadCharacters(call), 0);
}

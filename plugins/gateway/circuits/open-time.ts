import type { IBackoff } from 'cockatiel';
import { randomSecret } from '../../../core/index.ts';

/** By how much of itself a time may be longer by chance. */
const LONGER = 0.2;

/**
 * How long a circuit stays open: twice as long each time the trial call fails, and up to a fifth longer by chance, so that
 * instances do not try all at once. Chance has its part within the longest time, too.
 */
export class OpenTime implements IBackoff<unknown> {
  /** In milliseconds. */
  readonly duration: number;
  readonly #base: number;
  readonly #longest: number;

  constructor(base: number, longest: number) {
    this.#base = Math.min(base, longest / (1 + LONGER));
    this.#longest = longest;
    const drawn = randomSecret(1)[0]! / 255;
    this.duration = Math.min(longest, this.#base * (1 + LONGER * drawn));
  }

  next(): OpenTime {
    return new OpenTime(this.#base * 2, this.#longest);
  }
}

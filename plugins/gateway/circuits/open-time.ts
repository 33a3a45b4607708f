import type { IBackoff } from 'cockatiel';
import { randomSecret } from '../../../core/index.ts';

/**
 * How long a circuit stays open: twice as long each time the trial call fails, up to a bound, and up to a fifth longer
 * by chance, so that instances do not try all at once.
 */
export class OpenTime implements IBackoff<unknown> {
  readonly duration: number;
  readonly #base: number;
  readonly #longest: number;

  constructor(base: number, longest: number) {
    this.#base = Math.min(base, longest);
    this.#longest = longest;
    this.duration = Math.min(longest, this.#base * (1 + randomSecret(1)[0]! / 1275));
  }

  next(): OpenTime {
    return new OpenTime(this.#base * 2, this.#longest);
  }
}

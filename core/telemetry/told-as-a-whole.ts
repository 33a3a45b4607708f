import type { Clock } from '../support/clock.ts';

const EVERY_MS = 1000;

/** Counts what may happen thousands of times a second and is told of as a whole: a line for each would add to it. */
export class ToldAsAWhole {
  readonly #clock: Clock;
  #count = 0;
  #toldAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one. Answers how many there are to tell of now, and 0 when some were told of less than a second ago. */
  add(): number {
    this.#count += 1;
    const now = this.#clock.elapsed();
    if (now - this.#toldAt < EVERY_MS) return 0;
    const count = this.#count;
    this.#count = 0;
    this.#toldAt = now;
    return count;
  }
}

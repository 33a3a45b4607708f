import type { Clock } from '../support/clock.ts';

const INTERVAL_MS = 1000;

/** Limits what may happen thousands of times a second to one line of the log a second, which has the count. */
export class LogLimiter {
  readonly #clock: Clock;
  #count = 0;
  #loggedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one. Answers how many to log now, and 0 when the last line is less than a second old. */
  add(): number {
    this.#count += 1;
    const now = this.#clock.elapsed();
    if (now - this.#loggedAt < INTERVAL_MS) return 0;
    const count = this.#count;
    this.#count = 0;
    this.#loggedAt = now;
    return count;
  }
}

import type { Clock } from '../support/clock.ts';

const INTERVAL_MS = 1000;

/** Limits frequent events to one log line a second with their count. */
export class LogLimiter {
  readonly #clock: Clock;
  #count = 0;
  #loggedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an event. Returns the count to log now, or 0 when the last line is less than a second old. */
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

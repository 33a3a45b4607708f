import type { CircuitState, IBreaker } from 'cockatiel';
import type { Clock } from '../../../core/index.ts';

/** Opens a circuit after so many failures in a row, when all of them lie within a window. */
export class FailureStreak implements IBreaker {
  state: unknown = undefined;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  /** When the failures of the streak happened; never more than it takes. */
  #failures: number[] = [];

  constructor(failures: number, windowMs: number, clock: Clock) {
    this.#most = failures;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Whether there was no failure since the last success. */
  get isEmpty(): boolean {
    return this.#failures.length === 0;
  }

  success(_state: CircuitState): void {
    if (!this.isEmpty) this.#failures = [];
  }

  failure(_state: CircuitState): boolean {
    const now = this.#clock.elapsed();
    this.#failures = [...this.#failures.filter((time) => now - time < this.#windowMs), now].slice(
      -this.#most,
    );
    return this.#failures.length >= this.#most;
  }
}

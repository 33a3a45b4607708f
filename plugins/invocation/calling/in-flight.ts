import { Overloaded, token } from '../../../core/index.ts';

/** Counts calls that are worked on, refuses those beyond a limit, and knows when the last one ended. */
export class InFlight {
  readonly #limit: number;
  #count = 0;
  #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get current(): number {
    return this.#count;
  }

  /** Takes a place; whoever took one gives it back by `leave`. Throws `Overloaded`. */
  enter(): void {
    if (this.#count >= this.#limit) {
      throw Overloaded(`${this.#limit} calls are worked on already. Try again in a moment.`, {
        headers: { 'Retry-After': '1' },
      });
    }
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#tellIdle();
  }

  /** Resolves when no call is worked on. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #tellIdle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

export const IN_FLIGHT = token<InFlight>('invocation:in-flight');

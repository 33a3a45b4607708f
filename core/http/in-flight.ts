import type { Problem } from '../errors/problem.ts';
import { Overloaded } from '../errors/problems.ts';

/**
 * Counts requests that are being worked on, so that more load means more refusals and not longer waits for all.
 * A request gives its place back while its body arrives, for else a few slow senders could take them all.
 */
export class InFlight {
  readonly #limit: number;
  /** One for all refusals: under overload even the trace of an error costs what answers need. */
  readonly refusal: Problem;
  /** Told when somebody left. */
  onLeave: () => void = () => undefined;
  #current = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.refusal = Overloaded(`The server works on ${limit} requests already. Try again in a second.`, {
      headers: { 'Retry-After': '1' },
    });
  }

  get current(): number {
    return this.#current;
  }

  get isFull(): boolean {
    return this.#current >= this.#limit;
  }

  /** Throws `Overloaded` when every place is taken. */
  enter(): void {
    if (this.isFull) throw this.refusal;
    this.#current += 1;
  }

  leave(): void {
    this.#current -= 1;
    this.onLeave();
  }
}

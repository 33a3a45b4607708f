import { availableParallelism } from 'node:os';
import { Overloaded } from '../../core/index.ts';

/** Two, for hashes run in the thread pool that DNS and files use too; one where two would leave calls no core. */
const WIDTH = availableParallelism() > 2 ? 2 : 1;

/** Lets at most `width` pieces of work run at once and `length` wait. */
export class HashQueue {
  readonly #width: number;
  readonly #length: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width = WIDTH, length = 256) {
    this.#width = width;
    this.#length = length;
  }

  /** Throws `Overloaded` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#length) {
      throw Overloaded('Too many passwords are being checked. Try again in 2 seconds.', {
        headers: { 'Retry-After': '2' },
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

import { Overloaded, Places } from '../../core/index.ts';

/** Runs one piece of work after the other and lets `length` wait. */
export class HashQueue {
  readonly #places: Places;

  constructor(length = 256) {
    this.#places = new Places(1, length);
  }

  /** Throws `Overloaded` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#places.isFull) return this.#places.run(work);
    throw Overloaded('Too many passwords are being checked. Try again in 2 seconds.', {
      headers: { 'Retry-After': '2' },
    });
  }
}

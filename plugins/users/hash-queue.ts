import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { Overloaded } from '../../core/index.ts';

/** Runs one piece of work after the other and lets `length` wait. */
export class HashQueue {
  readonly #turns: BulkheadPolicy;

  constructor(length = 256) {
    this.#turns = bulkhead(1, length);
  }

  /** Throws `Overloaded` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.execute(work);
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw Overloaded('Too many passwords are being checked. Try again in 2 seconds.', {
        headers: { 'Retry-After': '2' },
        cause: error,
      });
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets one go on in each turn of the event loop, in the order in which they came. */
export class OneATurn {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is its turn. */
  next(): Promise<unknown> {
    return (this.#last = this.#last.then(() => nextTurn()));
  }
}

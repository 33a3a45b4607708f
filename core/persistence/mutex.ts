import { unavailable } from './unavailable.ts';

/** Lets one task at a time run, in the order of arrival. A task that waits past the time-out fails with `StoreUnavailable`. */
export class Mutex {
  readonly #timeoutMs: number;
  readonly #waiting: (() => void)[] = [];
  #isLocked = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#isLocked) await this.#wait();
    this.#isLocked = true;
    try {
      return await task();
    } finally {
      this.#unlock();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(unavailable(new Error(`the writer was not free within ${this.#timeoutMs} ms`)));
      }, this.#timeoutMs);
      this.#waiting.push(start);
    });
  }

  /** Stays locked when a task waits, so that no other comes between. */
  #unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isLocked = false;
  }
}

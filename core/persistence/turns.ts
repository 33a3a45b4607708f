import { unavailable } from './unavailable.ts';

/** Lets one after the other write. Whoever waits past the time-out gets `StoreUnavailable`. */
export class Turns {
  readonly #timeoutMs: number;
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken) await this.#wait();
    this.#taken = true;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const called = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(called), 1);
        reject(unavailable(new Error(`no turn to write within ${this.#timeoutMs} ms`)));
      }, this.#timeoutMs);
      this.#waiting.push(called);
    });
  }

  /** Stays taken when somebody waits, so that nobody comes between. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}

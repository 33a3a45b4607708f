import { Bulkhead, Overloaded } from '../../../core/index.ts';

/** How long a call waits for another call of its version to end. */
const MAX_WAIT_MS = 1000;

/** Counts the calls in flight, and limits them per version so that a hanging endpoint does not block other versions. */
export class CallsInFlight {
  readonly #bounds;
  readonly #versions = Bulkhead.byKey();
  #count = 0;
  #onIdle: (() => void)[] = [];

  /** Calls beyond the limit of their version wait in a queue that is half as long as the limit. */
  constructor(limitPerVersion: number) {
    this.#bounds = {
      limit: limitPerVersion,
      queueLimit: Math.ceil(limitPerVersion / 2),
      waitMs: MAX_WAIT_MS,
      refuse: () =>
        Overloaded(
          `The endpoint of this version is slow, and ${limitPerVersion} calls wait for it. Try again in a moment.`,
          { headers: { 'Retry-After': '1' } },
        ),
    };
  }

  /** Counts a call until it ends. */
  async track<T>(call: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await call();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /**
   * Runs `send` once the version is below its limit. Throws `Overloaded` when the queue is full or after a second, and the
   * reason of the signal when that aborts before.
   */
  ask<T>(versionId: string, send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#versions.run(versionId, this.#bounds, send, signal);
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }
}

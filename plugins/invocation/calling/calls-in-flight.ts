import { Bulkhead, Overloaded } from '../../../core/index.ts';

/** How long a call waits for another call of its version to end. */
const MAX_WAIT_MS = 1000;

/** Counts the calls in flight, and limits them per version so that a hanging endpoint does not block other versions. */
export class CallsInFlight {
  readonly #limitPerVersion: number;
  readonly #versions = new Map<string, Bulkhead>();
  #count = 0;
  #onIdle: (() => void)[] = [];

  /** Calls beyond the limit of their version wait in a queue that is half as long as the limit. */
  constructor(limitPerVersion: number) {
    this.#limitPerVersion = limitPerVersion;
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
  async ask<T>(versionId: string, send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const bulkhead = this.#versions.get(versionId) ?? this.#bulkhead();
    this.#versions.set(versionId, bulkhead);
    try {
      return await bulkhead.run(send, signal);
    } finally {
      if (bulkhead.isIdle) this.#versions.delete(versionId);
    }
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #bulkhead(): Bulkhead {
    const limit = this.#limitPerVersion;
    return new Bulkhead({
      limit,
      queueLimit: Math.ceil(limit / 2),
      waitMs: MAX_WAIT_MS,
      refuse: () =>
        Overloaded(
          `The endpoint of this version is slow, and ${limit} calls wait for it. Try again in a moment.`,
          { headers: { 'Retry-After': '1' } },
        ),
    });
  }
}

import { Bulkhead, Overloaded } from '../../../core/index.ts';

/** Calls of one version that wait because the endpoint has as many as it may have wait for at most this time. */
const MAX_WAIT_MS = 1000;

/** Counts the calls under way, and keeps an endpoint that hangs from holding up the calls of other versions. */
export class CallsInFlight {
  readonly #limitPerVersion: number;
  readonly #versions = new Map<string, Bulkhead>();
  #count = 0;
  #onIdle: (() => void)[] = [];

  /** Half as many calls of a version as may ask its endpoint at once may wait for it. */
  constructor(limitPerVersion: number) {
    this.#limitPerVersion = limitPerVersion;
  }

  /** Counts a call until it is over. */
  async track<T>(call: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await call();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /** Asks an endpoint when the version has fewer calls than it may have. Throws `Overloaded` after a second. */
  async ask<T>(versionId: string, send: () => Promise<T>): Promise<T> {
    const bulkhead = this.#versions.get(versionId) ?? this.#bulkhead();
    this.#versions.set(versionId, bulkhead);
    try {
      return await bulkhead.run(send);
    } finally {
      if (bulkhead.isIdle) this.#versions.delete(versionId);
    }
  }

  /** Resolves when no call is under way. */
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

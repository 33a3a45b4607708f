import type { Clock } from '../../core/index.ts';
import { GenerationQuotaExceeded } from './problems.ts';

const WINDOW_MS = 60_000;

interface Window {
  readonly endsAt: number;
  used: number;
}

/** Counts the requests of each user per minute, in memory. Windows that ended are deleted once a minute. */
export class UserQuota {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #windows = new Map<string, Window>();
  #nextSweep = 0;

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Counts one request. Throws `GenerationQuotaExceeded` beyond the limit. */
  take(userId: string): void {
    const now = this.#clock.elapsed();
    this.#sweep(now);
    const window = this.#windowOf(userId, now);
    if (window.used >= this.#perMinute) throw this.#exceeded(window.endsAt - now);
    window.used += 1;
  }

  #windowOf(userId: string, now: number): Window {
    const known = this.#windows.get(userId);
    if (known !== undefined && now < known.endsAt) return known;
    const fresh = { endsAt: now + WINDOW_MS, used: 0 };
    this.#windows.set(userId, fresh);
    return fresh;
  }

  #sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + WINDOW_MS;
    for (const [userId, { endsAt }] of this.#windows) if (now >= endsAt) this.#windows.delete(userId);
  }

  #exceeded(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    return GenerationQuotaExceeded(
      `You may ask the language model ${this.#perMinute} times per minute. Try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }
}

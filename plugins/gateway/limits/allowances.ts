import { LRUCache } from 'lru-cache';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { token, type Clock } from '../../../core/index.ts';
import type { LimitStore, RateLimit } from './limit-store.ts';

/** A limit on something that is counted. */
export interface Limit extends RateLimit {
  /** What is counted: `user:<id>`. */
  readonly key: string;
}

/** Whether a request may pass, and what is left. */
export interface Grant {
  readonly allowed: boolean;
  /** Requests that are left in the window, as far as this instance knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** When the window ends, by the monotonic clock. */
  readonly endsAt: number;
}

/** What this instance has taken of a window and not spent yet. */
interface Allowance {
  left: number;
  /** Requests that the store had left when it was asked last. */
  readonly remaining: number;
  readonly endsAt: number;
}

const MAX_ALLOWANCES = 10_000;
/** What is taken in advance is lost for other instances when it is not spent. */
const MAX_TAKEN = 1000;
/** How far apart the clocks of instances may be for their limits to be one. */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Spends limits that several instances share. A round trip to the store for each request costs most of what a call costs,
 * so each one takes a hundredth of what is left, at least one request and a thousand at most. All instances together never
 * pass more than the limit.
 */
export class Allowances {
  readonly #store: Pick<LimitStore, 'limiterOf'>;
  readonly #clock: Clock;
  readonly #allowances = new LRUCache<string, Allowance>({ max: MAX_ALLOWANCES });
  /** The round trips that are under way. */
  readonly #asked = new Map<string, Promise<Grant>>();

  constructor({ store, clock }: { readonly store: Pick<LimitStore, 'limiterOf'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Spends one request of a limit; at once when this instance has taken some in advance. */
  take(limit: Limit): Grant | Promise<Grant> {
    return this.#spend(limit) ?? this.#ask(limit);
  }

  /** Gives a request back that was granted and not made; answers the grant as it is then. */
  giveBack(limit: Limit, grant: Grant): Grant {
    const allowance = this.#running(limit);
    if (!allowance || !isOneWindow(allowance, grant, limit)) return grant;
    allowance.left += 1;
    return { ...grant, remaining: allowance.left + allowance.remaining };
  }

  /** What `take` would answer, without spending; `running` is false while no window has begun. */
  async peek(limit: Limit): Promise<Grant & { readonly running: boolean }> {
    const found = await this.#store.limiterOf(limit).get(keyOf(limit));
    if (!found || isOfLostTime(found, limit)) {
      const grant = this.#grant(limit, limit.windowS * 1000, limit.requests);
      return { ...grant, running: false };
    }
    const remaining = Math.max(0, found.remainingPoints) + (this.#running(limit)?.left ?? 0);
    const grant = this.#grant(limit, found.msBeforeNext, remaining);
    return { ...grant, allowed: remaining > 0, running: true };
  }

  #running(limit: Limit): Allowance | undefined {
    const allowance = this.#allowances.get(keyOf(limit));
    return allowance && allowance.endsAt > this.#clock.elapsed() ? allowance : undefined;
  }

  #spend(limit: Limit): Grant | undefined {
    const allowance = this.#running(limit);
    if (!allowance || allowance.left === 0) return undefined;
    allowance.left -= 1;
    const { left, remaining, endsAt } = allowance;
    return { allowed: true, remaining: left + remaining, resetMs: endsAt - this.#clock.elapsed(), endsAt };
  }

  /** Requests that come during a round trip wait for it, and spend what it brings. */
  async #ask(limit: Limit): Promise<Grant> {
    const key = keyOf(limit);
    for (let asked = this.#asked.get(key); asked; asked = this.#asked.get(key)) {
      await asked.catch(() => undefined);
      const grant = this.#spend(limit);
      if (grant) return grant;
    }
    const asking = this.#takeInAdvance(limit).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #takeInAdvance(limit: Limit): Promise<Grant> {
    const before = this.#running(limit);
    const points = Math.min(MAX_TAKEN, Math.max(1, Math.floor((before?.remaining ?? 0) / 100)));
    const { allowed, result } = await this.#consume(limit, points);
    const remaining = Math.max(0, result.remainingPoints);
    const grant = { ...this.#grant(limit, result.msBeforeNext, remaining), allowed };
    // What was given back meanwhile is still there.
    const now = this.#running(limit);
    const left = (allowed ? points - 1 : 0) + (now && isOneWindow(now, grant, limit) ? now.left : 0);
    this.#allowances.set(keyOf(limit), { left, remaining, endsAt: grant.endsAt });
    return { ...grant, remaining: left + remaining };
  }

  async #consume(limit: Limit, points: number): Promise<Consumption> {
    const limiter = this.#store.limiterOf(limit);
    const consumed = await consume(limiter, keyOf(limit), points);
    if (!isOfLostTime(consumed.result, limit)) return consumed;
    await limiter.delete(keyOf(limit));
    return consume(limiter, keyOf(limit), points);
  }

  #grant({ windowS }: Limit, msBeforeNext: number, remaining: number): Grant {
    const resetMs = Math.min(Math.max(1, msBeforeNext), windowS * 1000);
    return { allowed: true, remaining, resetMs, endsAt: this.#clock.elapsed() + resetMs };
  }
}

interface Consumption {
  readonly allowed: boolean;
  readonly result: RateLimiterRes;
}

async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Consumption> {
  try {
    return { allowed: true, result: await limiter.consume(key, points) };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { allowed: false, result: error };
    throw error;
  }
}

/** Whether a window began before the wall clock, by which stores measure, was set back: it would last for too long. */
function isOfLostTime({ msBeforeNext }: RateLimiterRes, { windowS }: Limit): boolean {
  return msBeforeNext > windowS * 1000 + MAX_CLOCK_SKEW_MS;
}

/** Whether two ends are of the same window: each answer of the store measures it a little differently. */
function isOneWindow(one: Ending, other: Ending, { windowS }: Limit): boolean {
  return Math.abs(one.endsAt - other.endsAt) < windowS * 500;
}

type Ending = Pick<Allowance, 'endsAt'>;

/** A limit that is changed begins a new window, in every store. */
function keyOf({ key, requests, windowS }: Limit): string {
  return `${key}:${requests}:${windowS}`;
}

export const ALLOWANCES = token<Allowances>('gateway:allowances');

import { LRUCache } from 'lru-cache';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { token, type Clock } from '../../../core/index.ts';
import type { LimitStore, RateLimit } from './limit-store.ts';

/** A rate limit, and what it counts. */
export interface Limit extends RateLimit {
  /** What is counted, such as `user:<id>`. */
  readonly key: string;
}

/** A limit that applies to a request, and its source. */
export interface NamedLimit extends Limit {
  /** The name in the `RateLimit` header. */
  readonly name: 'user' | 'api-key' | 'algorithm';
  /** `null` for the limit of the settings. */
  readonly policyId: string | null;
}

/** Whether a request is granted, and the state of its window. */
export interface Grant {
  readonly allowed: boolean;
  /** Requests left in the window, as far as this instance knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** When the window ends, by the monotonic clock. */
  readonly endsAt: number;
}

/** A limit, and its grant for a request. */
export interface Taken {
  readonly limit: NamedLimit;
  readonly grant: Grant;
}

/** The requests of a window that this instance has taken from the store and not spent yet. */
interface Allowance {
  left: number;
  /** Requests left in the store after the last round trip. */
  readonly remaining: number;
  readonly endsAt: number;
}

const MAX_ALLOWANCES = 10_000;
/** Requests taken at once at most: other instances cannot spend what this one has taken. */
const MAX_TAKEN = 1000;
/** The largest supported difference between the clocks of instances. */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Spends limits that several instances share. A round trip to the store per request would cost nearly as much as the
 * call, so each trip takes a hundredth of the requests that are left: at least one, and a thousand at most. All
 * instances together never exceed the limit.
 */
export class Allowances {
  readonly #store: Pick<LimitStore, 'limiterOf'>;
  readonly #clock: Clock;
  readonly #allowances = new LRUCache<string, Allowance>({
    maxSize: MAX_ALLOWANCES,
    sizeCalculation: () => 1,
  });
  /** The round trips in progress. */
  readonly #asked = new Map<string, Promise<Grant>>();

  constructor({ store, clock }: { readonly store: Pick<LimitStore, 'limiterOf'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Spends one request of a limit. Returns no promise while this instance has some in advance. */
  take(limit: Limit): Grant | Promise<Grant> {
    return this.#spend(limit) ?? this.#ask(limit);
  }

  /** Returns a request that was granted and not made; answers the updated grant. */
  giveBack(limit: Limit, grant: Grant): Grant {
    const allowance = this.#running(limit);
    if (!allowance || !isOneWindow(allowance, grant, limit)) return grant;
    allowance.left += 1;
    return { ...grant, remaining: allowance.left + allowance.remaining };
  }

  /** What is left as far as this instance knows, without spending and without asking the store. */
  known(limit: Limit): Grant {
    const allowance = this.#running(limit);
    if (!allowance) return this.#grant(limit, limit.windowS * 1000, limit.requests);
    const { left, remaining, endsAt } = allowance;
    const resetMs = endsAt - this.#clock.elapsed();
    return { allowed: left + remaining > 0, remaining: left + remaining, resetMs, endsAt };
  }

  /** What is left by the store, without spending. `running` is false while no window has begun. */
  async peek(limit: Limit): Promise<Pick<Grant, 'remaining' | 'resetMs'> & { readonly running: boolean }> {
    const found = await this.#store.limiterOf(limit).get(keyOf(limit));
    if (!found || isOfLostTime(found, limit)) {
      return { remaining: limit.requests, resetMs: limit.windowS * 1000, running: false };
    }
    const remaining = Math.max(0, found.remainingPoints) + (this.#running(limit)?.left ?? 0);
    return { ...this.#grant(limit, found.msBeforeNext, remaining), running: true };
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

  /** Requests that arrive during a round trip wait for it and spend what it takes. */
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
    // Requests may have been given back during the round trip.
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

/** Whether a window is longer than it may be: stores measure by the wall clock, which was then set back. */
function isOfLostTime({ msBeforeNext }: RateLimiterRes, { windowS }: Limit): boolean {
  return msBeforeNext > windowS * 1000 + MAX_CLOCK_SKEW_MS;
}

/** Whether two ends belong to the same window. Each answer of the store differs by some milliseconds. */
function isOneWindow(one: Ending, other: Ending, { windowS }: Limit): boolean {
  return Math.abs(one.endsAt - other.endsAt) < windowS * 500;
}

type Ending = Pick<Allowance, 'endsAt'>;

/** The key in the store. A changed limit gets another key and so begins a new window. */
function keyOf({ key, requests, windowS }: Limit): string {
  return `${key}:${requests}:${windowS}`;
}

/** Takes a request from each limit. When one is used up, it is the last of the result, and nothing is taken. */
export async function takeAll(
  allowances: Allowances,
  limits: readonly NamedLimit[],
): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (const limit of limits) {
    const grant = await allowances.take(limit);
    if (!grant.allowed) return [...giveBackAll(allowances, taken), { limit, grant }];
    taken.push({ limit, grant });
  }
  return taken;
}

/** Returns requests that were taken and not made; answers the updated grants. */
export function giveBackAll(allowances: Allowances, taken: readonly Taken[]): readonly Taken[] {
  return taken.map(({ limit, grant }) => ({ limit, grant: allowances.giveBack(limit, grant) }));
}

export const ALLOWANCES = token<Allowances>('gateway:allowances');

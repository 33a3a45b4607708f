import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { WindowCount, WindowCounter } from './window-counter.ts';

/** What the limiter itself would allow: everything. Limits differ by policy and are compared here. */
export const UNLIMITED = { points: 1_000_000_000, duration: 60 } as const;

/** How far apart the clocks of instances may be for their limits to be one. */
const CLOCKS_APART_MS = 60_000;

/** Counts in the store of a limiter of rate-limiter-flexible. */
export function counterOver(limiter: RateLimiterAbstract): WindowCounter {
  return {
    away: [],
    add: async (key, requests, windowS) => {
      // A penalty counts like a consumption, but does not reject.
      const found = await limiter.penalty(key, requests, { customDuration: windowS });
      if (!isOfLostTime(found, windowS)) return countOf(found);
      await limiter.set(key, requests, windowS);
      return { count: requests, endsInMs: windowS * 1000 };
    },
    read: async (key, windowS) => {
      const found = await limiter.get(key);
      return found && !isOfLostTime(found, windowS) ? countOf(found) : undefined;
    },
  };
}

/** Whether a window began before the wall clock was set back: it would last for as much longer. */
function isOfLostTime({ msBeforeNext }: RateLimiterRes, windowS: number): boolean {
  return msBeforeNext > windowS * 1000 + CLOCKS_APART_MS;
}

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): WindowCount {
  return { count: consumedPoints, endsInMs: msBeforeNext };
}

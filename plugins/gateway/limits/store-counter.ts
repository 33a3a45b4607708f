import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { WindowCounter } from './window-counter.ts';

/** What the limiter itself would allow: everything. Limits differ by policy and are compared here. */
export const UNLIMITED = { points: 1_000_000_000, duration: 60 } as const;

/** Counts in the store of a limiter of rate-limiter-flexible. */
export function counterOver(limiter: RateLimiterAbstract): WindowCounter {
  return {
    add: async (key, requests, windowS) => {
      // A penalty counts like a consumption, but does not reject.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, requests, {
        customDuration: windowS,
      });
      return { count: consumedPoints, endsInMs: msBeforeNext };
    },
    read: async (key) => {
      const found = await limiter.get(key);
      return found ? { count: found.consumedPoints, endsInMs: found.msBeforeNext } : undefined;
    },
  };
}

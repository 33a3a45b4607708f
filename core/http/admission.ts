import { Overloaded } from '../errors/problems.ts';
import { Bulkhead } from '../support/bulkhead.ts';
import type { Step } from './state.ts';

/** A refusal after a longer wait would not count as prompt: promise P7 allows 500 ms. */
const LONGEST_WAIT_MS = 250;

/** One for all refusals: the stack trace of an error costs as much as the rest of a refusal. */
const refusal = Overloaded('The server works on as many requests as it can. Try again in a second.', {
  headers: { 'Retry-After': '1' },
});

/** Room for the requests in flight. Every connection may wait for it, first come, first served, for 250 ms. */
export function createAdmission(maxInFlight: number, maxConnections: number): Bulkhead {
  return new Bulkhead({
    limit: maxInFlight,
    queueLimit: maxConnections,
    waitMs: LONGEST_WAIT_MS,
    refuse: () => refusal,
  });
}

/** Admits every request but those to probes, whose paths are given. */
export function admit(admission: Bulkhead, probes: ReadonlySet<string>): Step {
  return async ({ path, state }, next) => {
    if (probes.has(path)) return next();
    try {
      await admission.run(next);
    } catch (error) {
      if (error === refusal) state.isRefused = true;
      throw error;
    }
  };
}

import { Overloaded } from '../errors/core-problems.ts';
import { Bulkhead } from '../support/bulkhead.ts';
import type { Step } from './state.ts';

/** Promise P7 allows 500 ms for a refusal, so the wait ends well before that. */
const LONGEST_WAIT_MS = 250;

/** Shared by all refusals, because creating an error with its stack trace costs as much as the rest of a refusal. */
const refusal = Overloaded('The server works on as many requests as it can. Try again in a second.', {
  headers: { 'Retry-After': '1' },
});

/** Bounds the requests in flight. Further requests wait in an admission queue, first come, first served, for up to 250 ms. */
export function createAdmission(maxInFlight: number, maxConnections: number): Bulkhead {
  return new Bulkhead({
    limit: maxInFlight,
    queueLimit: maxConnections,
    waitMs: LONGEST_WAIT_MS,
    refuse: () => refusal,
  });
}

/** Passes every request through admission, except requests to the paths of probes. */
export function admit(admission: Bulkhead, probes: ReadonlySet<string>): Step {
  return ({ path }, next) => (probes.has(path) ? next() : admission.run(next));
}

/** Whether admission refused the request that failed with this error. */
export function isRefusal(error: unknown): boolean {
  return error === refusal;
}

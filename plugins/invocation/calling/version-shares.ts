import { BoundedMap, Overloaded, type Clock } from '../../../core/index.ts';
import { BeginTimes } from './begin-times.ts';

/** An endpoint that takes longer than this may not have more calls than its share, in milliseconds. */
const PATIENCE_MS = 1000;
/** Those that nobody calls are kept among them, for most are called again. */
const MOST_VERSIONS = 1000;

/**
 * Keeps an endpoint that hangs from taking the places of all other calls. One that answers quickly may have them all:
 * under load its calls wait for this process and not for the endpoint.
 */
export class VersionShares {
  readonly #limit: number;
  readonly #clock: Clock;
  /** By version, on the monotonic clock. */
  readonly #versions = new BoundedMap<BeginTimes>(MOST_VERSIONS, ({ count }) => count === 0);

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Throws `Overloaded` before the work when the share of the version is used up. */
  async within<T>(versionId: string, work: () => Promise<T>): Promise<T> {
    const at = this.#clock.elapsed();
    const calls = this.#versions.getOrMake(versionId, () => new BeginTimes());
    if (calls.count >= this.#limit) refuseBehind(calls, at);
    const place = calls.enter(at);
    try {
      return await work();
    } finally {
      calls.leave(place);
    }
  }
}

function refuseBehind(calls: BeginTimes, now: number): void {
  if (now - calls.oldest < PATIENCE_MS) return;
  throw Overloaded(
    `The endpoint of this version is slow, and ${calls.count} calls wait for it already. Try again in a moment.`,
    { headers: { 'Retry-After': '1' } },
  );
}

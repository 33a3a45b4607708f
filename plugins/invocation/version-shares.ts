import { Overloaded, type Clock } from '../../core/index.ts';

/** An endpoint that takes longer than this may not have more calls than its share, in milliseconds. */
const PATIENCE_MS = 1000;

/** When a call began, on the monotonic clock. */
interface Begun {
  readonly at: number;
}

/**
 * Keeps an endpoint that hangs from taking the places of all other calls. One that answers quickly may have them all:
 * under load its calls wait for this process and not for the endpoint.
 */
export class VersionShares {
  readonly #limit: number;
  readonly #clock: Clock;
  /** By version, oldest first. */
  readonly #versions = new Map<string, Set<Begun>>();

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Throws `Overloaded` before the work when the share of the version is used up. */
  async within<T>(versionId: string, work: () => Promise<T>): Promise<T> {
    const at = this.#clock.elapsed();
    const calls = this.#versions.get(versionId) ?? new Set();
    if (calls.size >= this.#limit) refuseBehind(calls, at);
    const begun = { at };
    calls.add(begun);
    this.#versions.set(versionId, calls);
    try {
      return await work();
    } finally {
      calls.delete(begun);
      if (calls.size === 0) this.#versions.delete(versionId);
    }
  }
}

function refuseBehind(calls: ReadonlySet<Begun>, now: number): void {
  const [oldest] = calls;
  if (oldest === undefined || now - oldest.at < PATIENCE_MS) return;
  throw Overloaded(
    `The endpoint of this version is slow, and ${calls.size} calls wait for it already. Try again in a moment.`,
    { headers: { 'Retry-After': '1' } },
  );
}

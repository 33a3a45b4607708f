import { BoundedMap, Places, token } from '../../core/index.ts';
import type { GatewayLimits } from './config.ts';
import { ConcurrencyLimited } from './problems.ts';

const MOST_PLACES = 10_000;

/** A version that is called. */
export interface CalledVersion {
  readonly algorithm: { readonly id: string };
  readonly version: { readonly id: string };
}

/**
 * Bounds the calls that this instance makes at once, so that what is slow does not starve the rest: those of each version
 * by the settings, or those of all versions of an algorithm together by its policy.
 */
export class Concurrency {
  readonly #settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'>;
  readonly #places = new BoundedMap<Places>(MOST_PLACES, ({ isEmpty }) => isEmpty);

  constructor({ settings }: { readonly settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'> }) {
    this.#settings = settings;
  }

  /** Whether a call would be refused now; `limit` is that of the policy. */
  isFull(called: CalledVersion, limit: number | undefined): boolean {
    const places = this.#places.find(keyOf(called, limit));
    // The next call begins anew with places of a limit that was changed.
    return places?.atOnce === (limit ?? this.#settings.concurrency) && places.isFull;
  }

  /** Runs work in its turn; `limit` is that of the policy. Throws `ConcurrencyLimited` when the queue is full. */
  run<T>(called: CalledVersion, limit: number | undefined, work: () => Promise<T>): Promise<T> {
    const places = this.#placesOf(keyOf(called, limit), limit ?? this.#settings.concurrency);
    return places.isFull ? Promise.reject(this.#limited(places, limit)) : places.run(work);
  }

  #limited({ atOnce }: Places, limit: number | undefined): Error {
    const what = limit === undefined ? 'version' : 'algorithm';
    return ConcurrencyLimited(
      `${atOnce} calls of this ${what} are under way and ${this.#settings.concurrency_queue} wait. Try again in a second.`,
      { headers: { 'Retry-After': '1' } },
    );
  }

  #placesOf(key: string, atOnce: number): Places {
    const found = this.#places.getOrMake(key, () => this.#make(atOnce));
    if (found.atOnce === atOnce) return found;
    // A policy changed the limit: what is under way ends under the old one.
    const changed = this.#make(atOnce);
    this.#places.set(key, changed);
    return changed;
  }

  #make(atOnce: number): Places {
    return new Places(atOnce, this.#settings.concurrency_queue);
  }
}

/** What the places are counted for. */
function keyOf({ algorithm, version }: CalledVersion, limit: number | undefined): string {
  return limit === undefined ? version.id : algorithm.id;
}

export const CONCURRENCY = token<Concurrency>('gateway:concurrency');

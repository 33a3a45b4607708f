import { Places, token } from '../../core/index.ts';
import { BoundedMap } from './bounded-map.ts';
import type { GatewayLimits } from './config.ts';
import { ConcurrencyLimited } from './problems.ts';

const MOST_ALGORITHMS = 10_000;

/** Bounds the calls of each algorithm that this instance makes at once, so that a slow one does not starve the others. */
export class Concurrency {
  readonly #settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'>;
  readonly #places = new BoundedMap<Places>(MOST_ALGORITHMS, ({ isEmpty }) => isEmpty);

  constructor({ settings }: { readonly settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'> }) {
    this.#settings = settings;
  }

  /** Whether a call of the algorithm would be refused now. */
  isFull(algorithmId: string): boolean {
    return this.#places.find(algorithmId)?.isFull === true;
  }

  /** Runs work in its turn. Throws `ConcurrencyLimited` when the queue is full. */
  run<T>(algorithmId: string, limit: number | undefined, work: () => Promise<T>): Promise<T> {
    const places = this.#placesOf(algorithmId, limit ?? this.#settings.concurrency);
    return places.isFull ? Promise.reject(this.#limited(places)) : places.run(work);
  }

  #limited({ atOnce }: Places): Error {
    return ConcurrencyLimited(
      `${atOnce} calls of this algorithm are under way and ${this.#settings.concurrency_queue} wait. Try again in a second.`,
      { headers: { 'Retry-After': '1' } },
    );
  }

  #placesOf(algorithmId: string, atOnce: number): Places {
    const found = this.#places.getOrMake(algorithmId, () => this.#make(atOnce));
    if (found.atOnce === atOnce) return found;
    // A policy changed the limit: what is under way ends under the old one.
    const changed = this.#make(atOnce);
    this.#places.set(algorithmId, changed);
    return changed;
  }

  #make(atOnce: number): Places {
    return new Places(atOnce, this.#settings.concurrency_queue);
  }
}

export const CONCURRENCY = token<Concurrency>('gateway:concurrency');

import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { token } from '../../core/index.ts';
import { BoundedMap } from './bounded-map.ts';
import type { GatewayLimits } from './config.ts';
import { ConcurrencyLimited } from './problems.ts';

const MOST_ALGORITHMS = 10_000;

interface Slots {
  readonly atOnce: number;
  readonly bulkhead: BulkheadPolicy;
}

/** Bounds the calls of each algorithm that this instance makes at once, so that a slow one does not starve the others. */
export class Concurrency {
  readonly #settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'>;
  readonly #slots: BoundedMap<Slots>;

  constructor({ settings }: { readonly settings: Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'> }) {
    this.#settings = settings;
    this.#slots = new BoundedMap(
      MOST_ALGORITHMS,
      ({ atOnce, bulkhead: { executionSlots } }) => executionSlots === atOnce,
    );
  }

  /** Whether a call of the algorithm would be refused now. */
  isFull(algorithmId: string): boolean {
    const slots = this.#slots.find(algorithmId);
    return slots !== undefined && slots.bulkhead.executionSlots <= 0 && slots.bulkhead.queueSlots <= 0;
  }

  /** Runs work in its turn. Throws `ConcurrencyLimited` when the queue is full. */
  async run<T>(algorithmId: string, limit: number | undefined, work: () => Promise<T>): Promise<T> {
    const atOnce = limit ?? this.#settings.concurrency;
    try {
      return await this.#slotsOf(algorithmId, atOnce).bulkhead.execute(work);
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw ConcurrencyLimited(
        `${atOnce} calls of this algorithm are under way and ${this.#settings.concurrency_queue} wait. Try again in a second.`,
        { headers: { 'Retry-After': '1' }, cause: error },
      );
    }
  }

  #slotsOf(algorithmId: string, atOnce: number): Slots {
    const found = this.#slots.getOrMake(algorithmId, () => this.#make(atOnce));
    if (found.atOnce === atOnce) return found;
    // A policy changed the limit: what is under way ends under the old one.
    const changed = this.#make(atOnce);
    this.#slots.set(algorithmId, changed);
    return changed;
  }

  #make(atOnce: number): Slots {
    return { atOnce, bulkhead: bulkhead(atOnce, this.#settings.concurrency_queue) };
  }
}

export const CONCURRENCY = token<Concurrency>('gateway:concurrency');

import { LRUCache } from 'lru-cache';
import { Bulkhead, token } from '../../core/index.ts';
import { ConcurrencyLimited } from '../invocation/contract.ts';
import type { GatewayLimits } from './config.ts';

const MAX_BULKHEADS = 10_000;

/** A version that is called, and its algorithm. */
export interface CalledVersion {
  readonly algorithm: { readonly id: string };
  readonly version: { readonly id: string };
}

type ConcurrencySettings = Pick<GatewayLimits, 'concurrency' | 'concurrency_queue'>;

/**
 * Limits the concurrent calls of this instance, so that slow endpoints do not starve others. A policy limits the calls
 * of all versions of its algorithm together; without a policy the settings limit those of each version.
 */
export class Concurrency {
  readonly #settings: ConcurrencySettings;
  readonly #bulkheads = new LRUCache<string, Bulkhead>({ maxSize: MAX_BULKHEADS, sizeCalculation: () => 1 });

  constructor({ settings }: { readonly settings: ConcurrencySettings }) {
    this.#settings = settings;
  }

  /** Whether a call would be refused now. `policyLimit` is the limit of the algorithm's policy. */
  isFull(called: CalledVersion, policyLimit: number | undefined): boolean {
    const bulkhead = this.#bulkheads.get(keyOf(called, policyLimit));
    // After a change of the limit the next call makes a new bulkhead.
    return bulkhead?.limit === (policyLimit ?? this.#settings.concurrency) && bulkhead.isFull;
  }

  /** Runs work as soon as a slot is free. Throws `ConcurrencyLimited` when the queue is full. */
  run<T>(called: CalledVersion, policyLimit: number | undefined, work: () => Promise<T>): Promise<T> {
    return this.#bulkheadOf(called, policyLimit).run(work);
  }

  #bulkheadOf(called: CalledVersion, policyLimit: number | undefined): Bulkhead {
    const key = keyOf(called, policyLimit);
    const limit = policyLimit ?? this.#settings.concurrency;
    const found = this.#bulkheads.get(key);
    if (found?.limit === limit) return found;
    const queueLimit = this.#settings.concurrency_queue;
    const what = policyLimit === undefined ? 'version' : 'algorithm';
    const refuse = (): Error =>
      ConcurrencyLimited(
        `${limit} calls of this ${what} are under way and ${queueLimit} wait. Try again in a second.`,
        { headers: { 'Retry-After': '1' } },
      );
    const bulkhead = new Bulkhead({ limit, queueLimit, refuse });
    this.#bulkheads.set(key, bulkhead);
    return bulkhead;
  }
}

/** The key of the bulkhead: the algorithm under a policy, and the version without one. */
function keyOf({ algorithm, version }: CalledVersion, policyLimit: number | undefined): string {
  return policyLimit === undefined ? version.id : algorithm.id;
}

export const CONCURRENCY = token<Concurrency>('gateway:concurrency');

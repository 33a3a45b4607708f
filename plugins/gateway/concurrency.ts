import { LRUCache } from 'lru-cache';
import { Bulkhead, token } from '../../core/index.ts';
import { ConcurrencyLimited } from '../invocation/contract.ts';
import type { GatewaySettings } from './config.ts';

const MAX_BULKHEADS = 10_000;
/** Calls that wait: with the 128 that run without a policy, as many as `invocation.max_in_flight_per_version` lets in. */
const QUEUE_LIMIT = 128;

/** A version that is called, and its algorithm. */
export interface CalledVersion {
  readonly algorithm: { readonly id: string };
  readonly version: { readonly id: string };
}

export interface ConcurrencyDeps {
  readonly settings: Pick<GatewaySettings, 'concurrency'>;
  /** Calls of a version, or of an algorithm by a policy, that wait in the queue; 128 by default. */
  readonly queueLimit?: number;
}

/**
 * Limits the concurrent calls of this instance, so that slow endpoints do not starve others. A policy limits the calls
 * of all versions of its algorithm together; without a policy the settings limit those of each version.
 */
export class Concurrency {
  readonly #settings: ConcurrencyDeps['settings'];
  readonly #queueLimit: number;
  readonly #bulkheads = new LRUCache<string, Bulkhead>({ maxSize: MAX_BULKHEADS, sizeCalculation: () => 1 });

  constructor({ settings, queueLimit = QUEUE_LIMIT }: ConcurrencyDeps) {
    this.#settings = settings;
    this.#queueLimit = queueLimit;
  }

  /** Whether a call would be refused now. `policyLimit` is the limit of the algorithm's policy. */
  isFull(called: CalledVersion, policyLimit: number | undefined): boolean {
    const bulkhead = this.#bulkheads.get(keyOf(called, policyLimit));
    // After a change of the limit the next call makes a new bulkhead.
    return bulkhead?.limit === (policyLimit ?? this.#settings.concurrency) && bulkhead.isFull;
  }

  /**
   * Runs work as soon as a slot is free. Throws `ConcurrencyLimited` when the queue is full, and the reason of the signal
   * when that aborts before.
   */
  run<T>(
    called: CalledVersion,
    policyLimit: number | undefined,
    work: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#bulkheadOf(called, policyLimit).run(work, signal);
  }

  #bulkheadOf(called: CalledVersion, policyLimit: number | undefined): Bulkhead {
    const key = keyOf(called, policyLimit);
    const limit = policyLimit ?? this.#settings.concurrency;
    const found = this.#bulkheads.get(key);
    if (found?.limit === limit) return found;
    const queueLimit = this.#queueLimit;
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

import { Bulkhead, token } from '../../core/index.ts';
import { ConcurrencyLimited } from '../invocation/contract.ts';
import type { GatewaySettings } from './config.ts';

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
  readonly #bulkheads = Bulkhead.byKey();

  constructor({ settings, queueLimit = QUEUE_LIMIT }: ConcurrencyDeps) {
    this.#settings = settings;
    this.#queueLimit = queueLimit;
  }

  /** Whether a call would be refused now. `policyLimit` is the limit of the algorithm's policy. */
  isFull(called: CalledVersion, policyLimit: number | undefined): boolean {
    return this.#bulkheads.isFull(this.#boundsOf(called, policyLimit).key);
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
    const { key, limit, what } = this.#boundsOf(called, policyLimit);
    const queueLimit = this.#queueLimit;
    const refuse = (): Error =>
      ConcurrencyLimited(
        `${limit} calls of this ${what} are under way and ${queueLimit} wait. Try again in a second.`,
        { headers: { 'Retry-After': '1' } },
      );
    return this.#bulkheads.run(key, { limit, queueLimit, refuse }, work, signal);
  }

  /** The limit of the algorithm under a policy, and of the version without one. A changed limit has a key of its own. */
  #boundsOf({ algorithm, version }: CalledVersion, policyLimit: number | undefined) {
    const limit = policyLimit ?? this.#settings.concurrency;
    return policyLimit === undefined
      ? { key: `${limit}:${version.id}`, limit, what: 'version' }
      : { key: `${limit}:${algorithm.id}`, limit, what: 'algorithm' };
  }
}

export const CONCURRENCY = token<Concurrency>('gateway:concurrency');

import { OutboundError, Problem, token, type Metrics, type UserPrincipal } from '../../core/index.ts';
import type { LlmValues } from './config.ts';
import { LanguageModelBusy, LanguageModelFailed, LanguageModelTimeout } from './contract.ts';
import type { UserQuota } from './user-quota.ts';

export const REQUESTS_METRIC = {
  kind: 'counter',
  name: 'vitrine_llm_requests_total',
  help: 'Requests to the language model, by operation and outcome.',
  labels: ['operation', 'outcome'],
} as const;

const BUSY_SECONDS = 5;

/**
 * Lets requests to the model through: so many at once, half of them of one user, within that user's quota, and up to a
 * deadline. What finds no place takes nothing of the quota.
 */
export class Turnstile {
  readonly #quota: UserQuota;
  readonly #metrics: Metrics;
  readonly #settings: Pick<LlmValues, 'concurrency' | 'timeout_ms'>;
  readonly #placesOf = new Map<string, number>();
  #inside = 0;

  constructor(deps: {
    readonly quota: UserQuota;
    readonly metrics: Metrics;
    readonly settings: Pick<LlmValues, 'concurrency' | 'timeout_ms'>;
  }) {
    this.#quota = deps.quota;
    this.#metrics = deps.metrics;
    this.#settings = deps.settings;
  }

  /** Does the work, whose signal aborts at the deadline or with the client's. What fails becomes a problem. */
  async pass<T>(
    operation: string,
    who: UserPrincipal,
    client: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#enter(who.userId);
    const deadline = AbortSignal.timeout(this.#settings.timeout_ms);
    try {
      const result = await work(AbortSignal.any([client, deadline]));
      this.#count(operation, 'success');
      return result;
    } catch (error) {
      this.#count(operation, 'failed');
      // The service stops, and says so itself.
      if (client.reason instanceof Problem) throw client.reason;
      throw error instanceof OutboundError ? problemOf(error, deadline.aborted) : error;
    } finally {
      this.#leave(who.userId);
    }
  }

  #enter(userId: string): void {
    const { concurrency } = this.#settings;
    const own = this.#placesOf.get(userId) ?? 0;
    if (this.#inside >= concurrency) throw busyHere('as many requests as it may');
    if (own >= Math.ceil(concurrency / 2)) throw busyHere('as many requests of yours as it may');
    this.#quota.take(userId);
    this.#placesOf.set(userId, own + 1);
    this.#inside += 1;
  }

  #leave(userId: string): void {
    const left = (this.#placesOf.get(userId) ?? 1) - 1;
    if (left > 0) this.#placesOf.set(userId, left);
    else this.#placesOf.delete(userId);
    this.#inside -= 1;
  }

  #count(operation: string, outcome: string): void {
    this.#metrics.counter(REQUESTS_METRIC.name).inc({ operation, outcome });
  }
}

export const TURNSTILE = token<Turnstile>('llm:turnstile');

function busyHere(howMany: string) {
  return LanguageModelBusy(`The language model already works on ${howMany}. Try again shortly.`, {
    headers: { 'Retry-After': String(BUSY_SECONDS) },
  });
}

function problemOf(error: OutboundError, isTooLate: boolean) {
  if (isTooLate || error.failure === 'timeout') {
    return LanguageModelTimeout('The language model did not answer in time.', { cause: error });
  }
  return LanguageModelFailed(`The language model cannot be asked. ${error.message}`, { cause: error });
}

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

/** Lets requests to the model through: within the quota of the user, so many at once, and up to a deadline. */
export class Turnstile {
  readonly #quota: UserQuota;
  readonly #metrics: Metrics;
  readonly #settings: Pick<LlmValues, 'concurrency' | 'timeout_ms'>;
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
    this.#quota.take(who.userId);
    if (this.#inside >= this.#settings.concurrency) throw busyHere();
    this.#inside += 1;
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
      this.#inside -= 1;
    }
  }

  #count(operation: string, outcome: string): void {
    this.#metrics.counter(REQUESTS_METRIC.name).inc({ operation, outcome });
  }
}

export const TURNSTILE = token<Turnstile>('llm:turnstile');

function busyHere() {
  return LanguageModelBusy(
    'The language model already works on as many requests as it may. Try again shortly.',
    {
      headers: { 'Retry-After': String(BUSY_SECONDS) },
    },
  );
}

function problemOf(error: OutboundError, isTooLate: boolean) {
  if (isTooLate || error.failure === 'timeout') {
    return LanguageModelTimeout('The language model did not answer in time.', { cause: error });
  }
  return LanguageModelFailed(`The language model cannot be asked. ${error.message}`, { cause: error });
}

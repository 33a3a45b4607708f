import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import {
  Bulkhead,
  OutboundError,
  Problem,
  token,
  type Metrics,
  type UserPrincipal,
} from '../../core/index.ts';
import type { LlmValues } from './config.ts';
import { LanguageModelBusy, LanguageModelFailed, LanguageModelTimeout } from './contract.ts';
import { GenerationQuotaExceeded } from './problems.ts';

export const REQUESTS_METRIC = {
  kind: 'counter',
  name: 'vitrine_llm_requests_total',
  help: 'Requests to the language model, by operation and outcome.',
  labels: ['operation', 'outcome'],
} as const;

const BUSY_SECONDS = 5;

/** Requests at once: each may hold an image of ten megabytes for a minute, and a language model serves few side by side. */
const AT_ONCE = 8;

export interface ModelAdmissionDeps {
  readonly metrics: Metrics;
  readonly settings: Pick<LlmValues, 'requests_per_minute' | 'timeout_ms'>;
  /** Requests that are worked on at once; 8 by default. */
  readonly atOnce?: number;
}

/**
 * Admits requests to the model: a limited number at once, half of them of one user, within that user's quota, each with a
 * deadline. A request that is refused for want of room spends nothing of the quota.
 */
export class ModelAdmission {
  /** The requests of each user. */
  readonly #quota: RateLimiterMemory;
  readonly #metrics: Metrics;
  readonly #timeoutMs: number;
  readonly #all: Bulkhead;
  readonly #ofUsers = Bulkhead.byKey();
  readonly #boundsOfUser;

  constructor({ metrics, settings, atOnce = AT_ONCE }: ModelAdmissionDeps) {
    this.#quota = new RateLimiterMemory({ points: settings.requests_per_minute, duration: 60 });
    this.#metrics = metrics;
    this.#timeoutMs = settings.timeout_ms;
    this.#all = new Bulkhead(boundsOf(atOnce, 'as many requests as it may'));
    this.#boundsOfUser = boundsOf(Math.ceil(atOnce / 2), 'as many requests of yours as it may');
  }

  /** Runs the work, whose signal aborts at the deadline or with the client's. What fails becomes a problem. */
  run<T>(
    operation: string,
    who: UserPrincipal,
    client: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { userId } = who;
    return this.#all.run(() =>
      this.#ofUsers.run(userId, this.#boundsOfUser, async () => {
        await this.#spend(userId);
        return this.#counted(operation, who, client, work);
      }),
    );
  }

  async #spend(userId: string): Promise<void> {
    try {
      await this.#quota.consume(userId);
    } catch (refusal) {
      const seconds = Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000));
      throw GenerationQuotaExceeded(
        `You may ask the language model ${this.#quota.points} times per minute. Try again in ${seconds} s.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    }
  }

  async #counted<T>(
    operation: string,
    { role }: UserPrincipal,
    client: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    try {
      const result = await work(AbortSignal.any([client, deadline]));
      this.#count(operation, 'success');
      return result;
    } catch (error) {
      this.#count(operation, 'failed');
      // A service that stops aborts with a problem of its own.
      if (client.reason instanceof Problem) throw client.reason;
      throw error instanceof OutboundError ? problemOf(error, deadline.aborted, role === 'admin') : error;
    }
  }

  #count(operation: string, outcome: string): void {
    this.#metrics.counter(REQUESTS_METRIC.name).inc({ operation, outcome });
  }
}

export const MODEL_ADMISSION = token<ModelAdmission>('llm:model-admission');

/** Nothing waits here: a request without room is refused at once. */
function boundsOf(limit: number, howMany: string) {
  const refuse = () =>
    LanguageModelBusy(`The language model already works on ${howMany}. Try again shortly.`, {
      headers: { 'Retry-After': String(BUSY_SECONDS) },
    });
  return { limit, queueLimit: 0, refuse };
}

function problemOf(error: OutboundError, isTooLate: boolean, isForAdmin: boolean) {
  if (isTooLate || error.failure === 'timeout') {
    return LanguageModelTimeout('The language model did not answer in time.', { cause: error });
  }
  const reason = isForAdmin && error.tlsReason !== undefined ? ` ${error.tlsReason}` : '';
  return LanguageModelFailed(`The language model cannot be asked. ${error.message}${reason}`, {
    cause: error,
  });
}

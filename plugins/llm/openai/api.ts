import type { BackendClient, OutboundResponse } from '../../../core/index.ts';
import type { LlmValues } from '../config.ts';
import { LanguageModelBusy, LanguageModelFailed, LanguageModelTimeout } from '../contract.ts';
import { asObject, type JsonObject } from '../json.ts';
import { unusable } from './answers.ts';
import { complaintIn } from './complaint.ts';

/** The server does not take the request as it is; another dialect may do. Never leaves this folder. */
export class RequestRejected extends Error {
  readonly status: number;

  constructor(status: number, complaint: string) {
    super(complaint);
    this.name = 'RequestRejected';
    this.status = status;
  }
}

export interface ApiRequest {
  /** Below the base URL: `/chat/completions`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const REJECTIONS: ReadonlySet<number> = new Set([400, 404, 405, 413, 415, 422, 501]);
const LONGEST_WAIT_SECONDS = 3600;
const USUAL_WAIT_SECONDS = 10;

/** Speaks HTTP to an OpenAI-compatible server and turns its refusals into problems that never show its secrets. */
export class OpenAiApi {
  readonly #backends: BackendClient;
  readonly #settings: Pick<LlmValues, 'base_url' | 'api_key' | 'timeout_ms'>;

  constructor(backends: BackendClient, settings: Pick<LlmValues, 'base_url' | 'api_key' | 'timeout_ms'>) {
    this.#backends = backends;
    this.#settings = settings;
  }

  /** Throws `RequestRejected`, the problems of the contract, and `OutboundError`. */
  async post({ path, body, maxBytes, signal }: ApiRequest): Promise<JsonObject> {
    const { base_url, api_key, timeout_ms: timeoutMs } = this.#settings;
    const answer = await this.#backends.request({
      url: `${base_url.replace(/\/+$/, '')}${path}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(api_key === '' ? {} : { authorization: `Bearer ${api_key}` }),
      },
      body: JSON.stringify(body),
      timeoutMs,
      maxBytes,
      signal,
    });
    if (answer.status !== 200) throw this.#refusal(answer);
    const parsed = objectOf(answer);
    if (parsed === undefined) throw unusable('It is not a JSON object.');
    return parsed;
  }

  #refusal(answer: OutboundResponse): Error {
    const { status } = answer;
    const complaint = complaintIn(objectOf(answer), this.#settings.api_key);
    if (REJECTIONS.has(status)) return new RequestRejected(status, complaint);
    if (status === 401 || status === 403) {
      return LanguageModelFailed('The language model refuses the token of this service. Tell the operator.');
    }
    if (status === 408 || status === 504)
      return LanguageModelTimeout('The language model did not answer in time.');
    if (status === 429 || status === 503) return busy(answer, complaint);
    return LanguageModelFailed(`The language model answered with status ${status}.${complaint}`);
  }
}

function objectOf({ body }: OutboundResponse): JsonObject | undefined {
  try {
    return asObject(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}

function busy({ retryAfter }: OutboundResponse, complaint: string): Error {
  const seconds = Math.min(retryAfter ?? USUAL_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  return LanguageModelBusy(`The language model takes no more requests for now.${complaint}`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

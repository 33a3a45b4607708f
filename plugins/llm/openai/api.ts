import type { BackendClient, OutboundResponse } from '../../../core/index.ts';
import type { LlmValues } from '../config.ts';
import { LanguageModelBusy, LanguageModelFailed, LanguageModelTimeout } from '../contract.ts';
import { asObject, parsed, type JsonObject } from '../json.ts';
import { unusable } from './answers.ts';
import { complaintIn, quoted } from './complaint.ts';
import { fromEventStream } from './event-stream.ts';

/**
 * The server does not take the request as it is, or fails on it; another dialect may do. The message is the sentence of
 * the problem, in case none does. Never leaves this folder.
 */
export class RequestRejected extends Error {
  readonly status: number;
  /** All that the server says, which may hold secrets. */
  readonly words: string;

  constructor(status: number, words: string, apiKey: string) {
    super(`${sentenceOf(status)}${quoted(words, apiKey) || hintAt(status)}`);
    this.name = 'RequestRejected';
    this.status = status;
    this.words = words;
  }
}

export interface ApiRequest {
  /** Below the base URL: `/chat/completions`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A status that another dialect may change: some servers break down on what they do not know. 200 is an error without a status. */
const REJECTIONS: ReadonlySet<number> = new Set([200, 400, 404, 405, 413, 415, 422, 500, 501]);
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
    const parsedAnswer = objectIn(answer);
    if (answer.status !== 200 || isError(parsedAnswer)) throw this.#refusal(answer, parsedAnswer);
    if (parsedAnswer === undefined) throw unusable('It is not a JSON object.');
    return parsedAnswer;
  }

  #refusal(answer: OutboundResponse, body: JsonObject = {}): Error {
    const { words = '', status: named } = complaintIn(body) ?? {};
    const isNamed = named !== undefined && (answer.status === 200 || (answer.status >= 500 && named === 429));
    const status = isNamed ? named : answer.status;
    const complaint = quoted(words, this.#settings.api_key);
    if (REJECTIONS.has(status)) return new RequestRejected(status, words, this.#settings.api_key);
    if (status === 401 || status === 403) {
      return LanguageModelFailed('The language model refuses the token of this service. Tell the operator.');
    }
    if (status === 408 || status === 504)
      return LanguageModelTimeout('The language model did not answer in time.');
    if (status === 429 || status === 503) return busy(answer, complaint);
    return LanguageModelFailed(`${sentenceOf(status)}${complaint}`);
  }
}

function sentenceOf(status: number): string {
  if (status === 200) return 'The language model answered with an error.';
  return status < 500
    ? `The language model rejects the request with status ${status}.`
    : `The language model answered with status ${status}.`;
}

/** A 404 without words comes from a server that has no such API at its address. */
function hintAt(status: number): string {
  return status === 404
    ? ' If it goes on, ask the operator whether llm.base_url is right: it ends in the version of the API, such as /v1.'
    : '';
}

/** Some servers answer with a list around the object, or with an event stream. */
function objectIn({ body }: OutboundResponse): JsonObject | undefined {
  const text = body.toString();
  const value = parsed(text) ?? fromEventStream(text);
  return asObject(Array.isArray(value) ? value[0] : value);
}

/** Some servers answer 200 with an error in it: there is neither text nor image, but words. */
function isError(answer: JsonObject | undefined): boolean {
  if (answer === undefined) return false;
  const isAnswer = ['choices', 'data'].some((name) => Array.isArray(answer[name]) && answer[name].length > 0);
  return !isAnswer && complaintIn(answer) !== undefined;
}

function busy({ retryAfter }: OutboundResponse, complaint: string): Error {
  const seconds = Math.min(retryAfter ?? USUAL_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  return LanguageModelBusy(`The language model takes no more requests for now.${complaint}`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

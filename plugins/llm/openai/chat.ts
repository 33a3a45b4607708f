import type { ChatRequest } from '../contract.ts';
import type { JsonObject } from '../json.ts';
import { RequestRejected, type OpenAiApi } from './api.ts';

/** Far more than the tokens of an answer take, streamed too, so that only a server that does not stop meets it. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** A part of a chat that not every server takes. */
interface Dialect {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  readonly responseFormat: boolean;
}

interface Chat {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly responseFormat: JsonObject | undefined;
  readonly signal: AbortSignal;
}

/**
 * Chats in the dialect that the server takes: newer OpenAI models want `max_completion_tokens`, many servers know no
 * `response_format`. A rejected request is sent again in the next dialect; the token limit's name is remembered per model.
 */
export class ChatDialects {
  readonly #api: OpenAiApi;
  readonly #maxTokens: number;
  readonly #tokenLimits = new Map<string, Dialect['tokenLimit']>();

  constructor(api: OpenAiApi, maxTokens: number) {
    this.#api = api;
    this.#maxTokens = maxTokens;
  }

  async send(chat: Chat): Promise<JsonObject> {
    const tokenLimit = this.#tokenLimits.get(chat.model) ?? 'max_tokens';
    let dialect: Dialect | undefined = { tokenLimit, responseFormat: chat.responseFormat !== undefined };
    for (;;) {
      try {
        return await this.#sendIn(dialect, chat);
      } catch (error) {
        dialect = error instanceof RequestRejected ? nextDialect(dialect, error) : undefined;
        if (dialect === undefined) throw error;
        this.#tokenLimits.set(chat.model, dialect.tokenLimit);
      }
    }
  }

  #sendIn(dialect: Dialect, { model, messages, responseFormat, signal }: Chat): Promise<JsonObject> {
    const body = {
      model,
      messages,
      [dialect.tokenLimit]: this.#maxTokens,
      ...(dialect.responseFormat ? { response_format: responseFormat } : {}),
    };
    return this.#api.post({
      path: '/chat/completions',
      body,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
  }
}

/** What to try after a rejection; `undefined` when nothing optional is left to leave out. */
function nextDialect(rejected: Dialect, { status, words }: RequestRejected): Dialect | undefined {
  if (status === 404 || status === 413) return undefined;
  if (rejected.tokenLimit === 'max_tokens' && words.includes('max_completion_tokens')) {
    return { ...rejected, tokenLimit: 'max_completion_tokens' };
  }
  return rejected.responseFormat ? { ...rejected, responseFormat: false } : undefined;
}

/** The `response_format` for what is wanted; none where the model may choose. */
export function responseFormatFor({ wants, schema }: ChatRequest): JsonObject | undefined {
  if (wants !== 'json') return undefined;
  if (schema === undefined) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'input_data', schema, strict: false } };
}

import { Problem, type BackendClient } from '../../../core/index.ts';
import type { LlmValues } from '../config.ts';
import {
  LanguageModelFailed,
  LanguageModelNotConfigured,
  type ChatRequest,
  type Image,
  type ImageAnswer,
  type ImageRequest,
  type LanguageModel,
  type TextAnswer,
  type VisionRequest,
} from '../contract.ts';
import type { ImageFetcher } from '../images/image-fetcher.ts';
import { imageFrom, MAX_IMAGE_BYTES } from '../images/image.ts';
import type { JsonObject } from '../json.ts';
import { OpenAiApi, RequestRejected } from './api.ts';
import { ChatDialects, responseFormatFor } from './chat.ts';
import { imageIn, servedBy, textIn, unusable } from './answers.ts';

/** Base64 grows by a third; the rest of the answer is small. */
const MAX_ANSWER_BYTES = Math.ceil(1.4 * MAX_IMAGE_BYTES);

/** Any server that speaks the OpenAI API: OpenAI, Ollama, vLLM, llama.cpp, LM Studio, Gemini's endpoint. */
export class OpenAiModel implements LanguageModel {
  readonly name = 'openai';
  readonly #settings: LlmValues;
  readonly #api: OpenAiApi;
  readonly #chats: ChatDialects;
  readonly #images: ImageFetcher;

  constructor(deps: {
    readonly backends: BackendClient;
    readonly images: ImageFetcher;
    readonly settings: LlmValues;
  }) {
    this.#settings = deps.settings;
    this.#api = new OpenAiApi(deps.backends, deps.settings);
    this.#chats = new ChatDialects(this.#api, deps.settings.max_tokens);
    this.#images = deps.images;
  }

  chat(request: ChatRequest): Promise<TextAnswer> {
    const { messages, signal } = request;
    return this.#ask({
      model: this.#settings.model,
      messages,
      responseFormat: responseFormatFor(request),
      signal,
    });
  }

  vision({ instruction, image, signal }: VisionRequest): Promise<TextAnswer> {
    const content = [
      { type: 'text', text: instruction },
      { type: 'image_url', image_url: { url: dataUrl(image) } },
    ];
    const model = this.#settings.vision_model || this.#settings.model;
    return this.#ask({ model, messages: [{ role: 'user', content }], responseFormat: undefined, signal });
  }

  async image({ prompt, signal }: ImageRequest): Promise<ImageAnswer> {
    const { image_model: model } = this.#settings;
    if (model === '') {
      throw LanguageModelNotConfigured(
        'The operator has configured no model that draws images (LLM_IMAGE_MODEL).',
      );
    }
    const answer = await understood(
      this.#api.post({
        path: '/images/generations',
        body: { model, prompt, n: 1 },
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      }),
    );
    return { image: await this.#imageOf(answer, signal), model: servedBy(answer, model) };
  }

  async #ask(chat: Parameters<ChatDialects['send']>[0]): Promise<TextAnswer> {
    const answer = await understood(this.#chats.send(chat));
    return { text: textIn(answer), model: servedBy(answer, chat.model) };
  }

  /** Servers send the image itself or its address, which is fetched through the egress guard. */
  async #imageOf(answer: JsonObject, signal: AbortSignal): Promise<Image> {
    const drawn = imageIn(answer);
    try {
      if ('bytes' in drawn) return imageFrom(drawn.bytes);
      return await this.#images.fetch(drawn.url, signal);
    } catch (error) {
      throw error instanceof Problem ? unusable(error.message) : error;
    }
  }
}

function dataUrl({ contentType, bytes }: Image): string {
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

/** A request that is rejected in every dialect is a failure of the model, not of the caller. */
async function understood(answer: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RequestRejected)) throw error;
    throw LanguageModelFailed(error.message);
  }
}

import { extensionPoint, problem } from '../../core/index.ts';

/** One turn of a conversation. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A question to a model that answers in text. */
export interface ChatRequest {
  /** Instructions first, then what the user asked; a repair adds the answer before and what is wrong with it. */
  readonly messages: readonly ChatMessage[];
  /** What the answer is to be: one JSON object, plain text, or whichever suits the question. */
  readonly wants: 'json' | 'text' | 'either';
  /** JSON Schema 2020-12 that the object should follow. The messages say so too; the answer is checked afterwards. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Aborts at the deadline, or when the client goes away. */
  readonly signal: AbortSignal;
}

/** A raster image whose type and size were read from its bytes. */
export interface Image {
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** A question about an image. */
export interface VisionRequest {
  readonly instruction: string;
  readonly image: Image;
  readonly signal: AbortSignal;
}

/** A wish for an image. */
export interface ImageRequest {
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** `model` is shown to the caller: who answered. */
export interface TextAnswer {
  readonly text: string;
  readonly model: string;
}

/** `model` is shown to the caller: who made it. */
export interface ImageAnswer {
  readonly image: Image;
  readonly model: string;
}

/**
 * Something that answers prompts. Fill `LANGUAGE_MODELS` to add one, and name it in the setting `llm.backend`.
 * Failures are thrown as the problems of this contract; an `OutboundError` may be passed on as it is.
 */
export interface LanguageModel {
  /** What `llm.backend` calls it. */
  readonly name: string;
  /** Throws `StartupError` when its settings do not suffice; asked at boot, and only of the chosen one. */
  check?(): void;
  chat(request: ChatRequest): Promise<TextAnswer>;
  vision(request: VisionRequest): Promise<TextAnswer>;
  image(request: ImageRequest): Promise<ImageAnswer>;
}

export const LANGUAGE_MODELS = extensionPoint<LanguageModel>('llm:language-models', {
  methods: ['check?', 'chat', 'vision', 'image'],
  keysOf: ({ name }) => [name],
});

export const LanguageModelFailed = problem({
  code: 'language_model_failed',
  status: 502,
  title: 'The language model failed',
  description:
    'The language model cannot be reached, refused its token or the request, or answered nonsense. The sentence says which; if it persists, tell the operator.',
});

export const LanguageModelBusy = problem({
  code: 'language_model_busy',
  status: 503,
  title: 'The language model is busy',
  description:
    'The language model, or this service on its behalf, has as much to do as it can take. Try again after `Retry-After` seconds.',
});

export const LanguageModelNotConfigured = problem({
  code: 'language_model_not_configured',
  status: 503,
  title: 'No model is configured for this',
  description: 'The operator configured a language model, but none for this kind of request.',
});

export const LanguageModelTimeout = problem({
  code: 'language_model_timeout',
  status: 504,
  title: 'The language model did not answer in time',
  description: 'The language model did not answer within `llm.timeout_ms`. Ask for less, or try again.',
});

import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

export const LlmSettings = defineSettings(
  'llm',
  {
    backend: setting(Type.String({ minLength: 1 }), {
      default: 'auto',
      description:
        'Which language model answers: `openai` (any server that speaks its API), `offline`, or one that a plugin adds. `auto`: `openai` when `base_url` is set, otherwise `offline`.',
    }),
    base_url: setting(Type.String(), {
      default: '',
      description: 'Where the OpenAI-compatible API starts, with its version: `http://localhost:11434/v1`.',
    }),
    api_key: setting(Type.String(), {
      default: '',
      secret: true,
      description: 'Bearer token for that API. Empty: none is sent.',
    }),
    model: setting(Type.String(), { default: '', description: 'The model that generates data.' }),
    vision_model: setting(Type.String(), {
      default: '',
      description: 'The model that describes images. Empty: the one that generates data.',
    }),
    image_model: setting(Type.String(), {
      default: '',
      description: 'The model that draws images. Empty: images are not generated.',
    }),
    max_tokens: setting(Type.Integer({ minimum: 16, maximum: 1_000_000 }), {
      default: 4096,
      description: 'Tokens that an answer may have.',
    }),
    timeout_ms: setting(Type.Integer({ minimum: 100, maximum: 600_000 }), {
      default: 60_000,
      description: 'Milliseconds for one request, repairs and the fetching of images included.',
    }),
    requests_per_minute: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
      default: 30,
      description: 'Requests that each user may make per minute, counted by each instance.',
    }),
  },
  ({ backend, base_url, model }) => {
    if (backend !== 'openai' && (backend !== 'auto' || base_url === '')) return {};
    return {
      base_url: isApiAddress(base_url)
        ? undefined
        : 'is no http or https address without credentials and query; write for example http://localhost:11434/v1',
      model: model === '' ? 'must name the model to ask at llm.base_url' : undefined,
    };
  },
);

function isApiAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === ''
  );
}

export type LlmValues = SettingsOf<typeof LlmSettings>;

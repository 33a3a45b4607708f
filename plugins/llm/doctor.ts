import { BACKENDS, doctorCheck, OutboundError, type BackendClient } from '../../core/index.ts';
import { OFFLINE } from './chosen-model.ts';
import { LlmSettings, type LlmValues } from './config.ts';
import { asObject, parsed } from './json.ts';

const ANSWER_MS = 10_000;
/** Routers of models list some thousands. */
const MAX_LIST_BYTES = 8 * 1_048_576;

/** Whether the server of the language model answers, accepts the token and knows the models that the settings name. */
export const modelCheck = doctorCheck({
  name: 'language-model',
  deps: { backends: BACKENDS, settings: LlmSettings.token },
  check: async ({ backends, settings }) => {
    const { backend, base_url } = settings;
    const name = backend === 'auto' ? (base_url === '' ? OFFLINE : 'openai') : backend;
    if (name === 'openai') return [await findingOf(backends, settings)];
    const message =
      name === OFFLINE
        ? 'The stand-in of the service answers for the language model.'
        : `The language model "${name}" (LLM_BACKEND) has to come from another plugin; without it the start fails.`;
    return [{ state: 'ok', message }];
  },
});

async function findingOf(backends: BackendClient, settings: LlmValues) {
  const { base_url, api_key } = settings;
  const url = `${base_url.replace(/\/+$/, '')}/models`;
  const server = `The language model at ${base_url} (LLM_BASE_URL)`;
  const mend = `curl -H "Authorization: Bearer $LLM_API_KEY" ${url}`;
  try {
    const { status, body } = await backends.request({
      url,
      method: 'GET',
      headers: {
        accept: 'application/json',
        ...(api_key === '' ? {} : { authorization: `Bearer ${api_key}` }),
      },
      timeoutMs: ANSWER_MS,
      maxBytes: MAX_LIST_BYTES,
    });
    if (status === 401 || status === 403) {
      const token = api_key === '' ? 'wants a token, and LLM_API_KEY is not set' : 'refuses LLM_API_KEY';
      return { state: 'fault', message: `${server} ${token} (status ${status}).`, mend } as const;
    }
    if (status !== 200) {
      const where = status === 404 ? '; the address ends in the version of the API, such as /v1' : '';
      const message = `${server} answers ${status} when it is asked for its models${where}.`;
      return { state: 'warning', message, mend } as const;
    }
    const unlisted = unlistedModels(body.toString(), settings);
    if (unlisted.length === 0) return { state: 'ok', message: `${server} answers.` } as const;
    const message = `${server} does not list ${unlisted.join(' and ')}.`;
    return { state: 'warning', message, mend: `Name one of its models: ${mend}` } as const;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const reason = [error.message, error.tlsReason].filter(Boolean).join(' ');
    return { state: 'warning', message: `${server} cannot be asked. ${reason}`, mend } as const;
  }
}

/** The settings whose models the server does not list; none where its answer is no list. */
function unlistedModels(text: string, settings: LlmValues): readonly string[] {
  const list = asObject(parsed(text))?.['data'];
  if (!Array.isArray(list)) return [];
  const known = new Set(list.map((entry) => plainName(String(asObject(entry)?.['id']))));
  return (['model', 'vision_model', 'image_model'] as const)
    .filter((key) => settings[key] !== '' && !known.has(plainName(settings[key])))
    .map((key) => `"${settings[key]}" (LLM_${key.toUpperCase()})`);
}

/** Gemini lists `models/NAME` for NAME, and Ollama `NAME:latest`. */
function plainName(name: string): string {
  return name.replace(/^models\//, '').replace(/:latest$/, '');
}

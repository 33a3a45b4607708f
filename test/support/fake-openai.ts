import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** What the fake does otherwise than OpenAI; each is the habit of a real server, or a fault of one. */
export interface Dialect {
  /** Many small servers: any `response_format` is an error. */
  rejectsResponseFormat?: boolean;
  /** Servers that break down on what they do not know: any `response_format` is a 500. */
  breaksOnResponseFormat?: boolean;
  /** Newer OpenAI models: `max_tokens` is an error that names `max_completion_tokens`. */
  wantsMaxCompletionTokens?: boolean;
  /** Models that cannot help it: JSON stands in a code fence. */
  fences?: boolean;
  /** Reasoning models on small servers: thoughts come first. */
  thinksAloud?: boolean;
  /** Content comes as a list of parts. */
  answersInParts?: boolean;
  /** Servers that stream unasked. */
  streams?: boolean;
  /** The fields of a drawn image, instead of its bytes in `b64_json`. */
  imageFields?: Json;
  /** Errors are `{"error": "text"}`. */
  bareErrors?: boolean;
  /** Images are given by address. */
  imageUrl?: string;
  /** Milliseconds before it answers. */
  slow?: number;
  /** Answers no sooner than this. */
  until?: Promise<void>;
  /** Answers with this instead. */
  instead?: { status: number; body: string | Json; headers?: Record<string, string> };
}

export interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on what it reads
  readonly body: any;
}

export interface FakeOpenAi {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requests: FakeRequest[];
  dialect: Dialect;
  /** What the model says, in turn; the last one stays. */
  description: (string | null)[];
  /** What it draws. */
  draws: Buffer;
  stop(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const MODELS = new Set(['text-model', 'vision-model', 'image-model']);
const CHAT_FIELDS = new Set([
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'temperature',
  'seed',
  'stop',
]);
const IMAGE_FIELDS = new Set(['model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format']);
const DATA_URL = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;

/** A server that speaks the OpenAI API, and takes nothing that the real one would not. */
export async function startFakeOpenAi(apiKey = 'sk-Test0123456789abcdef'): Promise<FakeOpenAi> {
  const server = createServer((request, response) => void serve(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeOpenAi = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey,
    requests: [],
    dialect: {},
    description: ['hello'],
    draws: Buffer.alloc(0),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}

async function serve(fake: FakeOpenAi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body, headers } = await answerOf(fake, request);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function answerOf(
  fake: FakeOpenAi,
  request: IncomingMessage,
): Promise<NonNullable<Dialect['instead']>> {
  try {
    const body = request.method === 'GET' ? {} : await bodyOf(request);
    fake.requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (fake.dialect.slow) await new Promise((resolve) => setTimeout(resolve, fake.dialect.slow));
    await fake.dialect.until;
    checkAuthorization(fake, request);
    if (fake.dialect.instead) return fake.dialect.instead;
    const answer = operation(fake, request, body);
    return { status: 200, body: fake.dialect.streams ? streamed(answer) : answer };
  } catch (error) {
    const { status = 500, code = 'server_error', message } = error as Partial<Refusal> & Error;
    return {
      status,
      body: {
        error: fake.dialect.bareErrors
          ? message
          : { message, type: 'invalid_request_error', param: null, code },
      },
    };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.headers['content-type']?.split(';')[0] !== 'application/json')
    throw bad('The content type must be application/json.');
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Json;
  } catch {
    throw bad('We could not parse the JSON body of your request.');
  }
}

/** Echoes the key, as OpenAI does in part and others do in full. */
function checkAuthorization(fake: FakeOpenAi, { headers }: IncomingMessage): void {
  if (headers.authorization === `Bearer ${fake.apiKey}`) return;
  throw new Refusal(
    401,
    'invalid_api_key',
    `Incorrect API key provided: ${headers.authorization ?? 'none'}.`,
  );
}

function operation(fake: FakeOpenAi, { method, url }: IncomingMessage, body: Json): Json {
  if (url === '/v1/models' && method === 'GET') return modelList();
  if (url === '/v1/chat/completions' && method === 'POST') return chat(fake, body);
  if (url === '/v1/images/generations' && method === 'POST') return image(fake, body);
  throw new Refusal(404, 'unknown_url', `Unknown request URL: ${method} ${url}.`);
}

function modelList(): Json {
  const data = [...MODELS].map((id) => ({ id, object: 'model', created: 1_800_000_000, owned_by: 'fake' }));
  return { object: 'list', data };
}

function chat(fake: FakeOpenAi, body: Json): Json {
  checkFields(body, CHAT_FIELDS);
  checkModel(body['model']);
  checkMessages(body['messages']);
  checkTokenLimit(fake.dialect, body);
  checkResponseFormat(fake.dialect, body);
  if (fake.dialect.breaksOnResponseFormat && body['response_format'] !== undefined) {
    throw new Error('KeyError: response_format');
  }
  const said = fake.description.length > 1 ? fake.description.shift()! : (fake.description[0] ?? null);
  const message = {
    role: 'assistant',
    content: inDialect(fake.dialect, said),
    ...(said === null ? { refusal: 'I cannot.' } : {}),
  };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_800_000_000,
    model: body['model'],
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** A chat completion as the events of a stream, a few characters each. */
function streamed({ choices, ...rest }: Json): string {
  const [{ message }] = choices as [{ message: { content: string } }];
  const pieces = message.content.match(/[^]{1,3}/g) ?? [];
  const deltas = [{ role: 'assistant', content: '' }, ...pieces.map((content) => ({ content }))];
  const events = deltas.map((delta) => JSON.stringify({ ...rest, choices: [{ index: 0, delta }] }));
  return [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('');
}

function inDialect({ fences, thinksAloud, answersInParts }: Dialect, said: string | null): unknown {
  if (said === null) return null;
  const fenced = fences ? `Here you are:\n\`\`\`json\n${said}\n\`\`\`\nAnything else?` : said;
  const thought = thinksAloud ? `<think>They want {"x": 1}?</think>\n\n${fenced}` : fenced;
  return answersInParts ? [{ type: 'text', text: thought }] : thought;
}

function image(fake: FakeOpenAi, body: Json): Json {
  checkFields(body, IMAGE_FIELDS);
  checkModel(body['model']);
  if (typeof body['prompt'] !== 'string' || body['prompt'] === '')
    throw bad("Missing required parameter: 'prompt'.");
  if (body['n'] !== undefined && body['n'] !== 1) throw bad("Invalid value for 'n'.");
  const { imageUrl, imageFields } = fake.dialect;
  return {
    created: 1_800_000_000,
    data: [imageFields ?? (imageUrl ? { url: imageUrl } : { b64_json: fake.draws.toString('base64') })],
  };
}

function checkFields(body: Json, known: ReadonlySet<string>): void {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) throw bad(`Unrecognized request argument supplied: ${unknown}`);
}

function checkModel(model: unknown): void {
  if (typeof model !== 'string') throw bad("Missing required parameter: 'model'.");
  if (!MODELS.has(model)) throw new Refusal(404, 'model_not_found', `The model \`${model}\` does not exist.`);
}

function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages) || messages.length === 0) throw bad("Invalid 'messages': empty array.");
  for (const { role, content } of messages as Json[]) {
    if (!['system', 'user', 'assistant'].includes(String(role))) throw bad(`Invalid role: ${String(role)}.`);
    if (typeof content === 'string' && content !== '') continue;
    if (!Array.isArray(content) || role !== 'user') throw bad("Invalid 'content'.");
    (content as Json[]).forEach(checkPart);
  }
}

function checkPart(part: Json): void {
  if (part['type'] === 'text' && typeof part['text'] === 'string') return;
  const url = (part['image_url'] as Json | undefined)?.['url'];
  if (part['type'] !== 'image_url' || typeof url !== 'string')
    throw bad("Invalid part of 'content': an object with a 'url' is expected.");
  if (!DATA_URL.test(url) && !url.startsWith('https://')) throw bad('Invalid image URL.');
}

function checkTokenLimit({ wantsMaxCompletionTokens }: Dialect, body: Json): void {
  if (wantsMaxCompletionTokens && body['max_tokens'] !== undefined) {
    throw bad(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  }
  const limit = body['max_tokens'] ?? body['max_completion_tokens'] ?? 1;
  if (!Number.isInteger(limit) || (limit as number) < 1) throw bad('Invalid token limit.');
}

function checkResponseFormat({ rejectsResponseFormat }: Dialect, body: Json): void {
  const format = body['response_format'] as Json | undefined;
  if (format === undefined) return;
  if (rejectsResponseFormat) throw bad('This server does not support response_format.');
  if (format['type'] === 'text') return;
  if (format['type'] === 'json_object') {
    if (/json/i.test(JSON.stringify(body['messages']))) return;
    throw bad(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    );
  }
  const named = format['json_schema'] as Json | undefined;
  const isSound = /^[\w-]{1,64}$/.test(String(named?.['name'])) && typeof named?.['schema'] === 'object';
  if (format['type'] !== 'json_schema' || !isSound) throw bad("Invalid 'response_format'.");
}

function bad(message: string): Refusal {
  return new Refusal(400, 'invalid_value', message);
}

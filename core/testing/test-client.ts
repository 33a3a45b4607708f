import { Agent, request, type Dispatcher } from 'undici';

/** The request of a test. A string body is sent unchanged, `FormData` as a form with its files, and any other as JSON. */
export interface TestRequest {
  readonly body?: unknown;
  /** A bearer token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A complete answer. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text for other media types. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on what it reads
  readonly body: any;
}

/** Sends requests over real HTTP, on connections of its own that it keeps open. */
export class TestClient {
  readonly #baseUrl: string;
  #connections = new Agent();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** A path is relative to the base URL. */
  async send(method: string, path: string, more: TestRequest = {}): Promise<TestResponse> {
    const { body, token, headers = {} } = more;
    const content = await contentOf(body);
    const answer = await request(path.startsWith('http') ? path : this.#baseUrl + path, {
      dispatcher: this.#connections,
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(content === undefined ? {} : { 'content-type': content.type }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content.body }),
    });
    const text = await answer.body.text();
    const isJson = /^application\/(.+\+)?json\b/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  /** Closes its connections, each after its answer, so that a server that stops need not wait for idle ones. Later requests open new ones. */
  async closeConnections(): Promise<void> {
    const connections = this.#connections;
    this.#connections = new Agent();
    await connections.close();
  }
}

async function contentOf(
  body: unknown,
): Promise<{ readonly type: string; readonly body: string | Buffer } | undefined> {
  if (body === undefined) return undefined;
  if (body instanceof FormData) {
    const form = new Response(body);
    return { type: form.headers.get('content-type')!, body: Buffer.from(await form.arrayBuffer()) };
  }
  return { type: 'application/json', body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The request of a test. A string body is sent unchanged, any other as JSON. */
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

/** Sends one request over real HTTP. A path is relative to the base URL. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { body, token, headers = {} }: TestRequest = {},
): Promise<TestResponse> {
  const response = await fetch(path.startsWith('http') ? path : baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

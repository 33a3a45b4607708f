const PASSWORD = 'correct horse battery';

/** Talks to a service before and after the measuring. */
export interface Client {
  readonly id: string;
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** Registers an account where there is none of that name, and signs it in. The first becomes the administrator. */
export async function signIn(apiUrl: string, username: string): Promise<Client> {
  const account = { username, email: `${username}@example.org`, password: PASSWORD };
  await fetch(`${apiUrl}/users/register`, jsonRequest('POST', account));
  const { access_token: token } = await send<{ access_token: string }>(
    `${apiUrl}/users/login`,
    jsonRequest('POST', { username, password: PASSWORD }),
  );
  const get = <T>(path: string): Promise<T> => send(apiUrl + path, jsonRequest('GET', undefined, token));
  const { id } = await get<{ id: string }>('/users/me');
  return { id, token, get, post: (path, body) => send(apiUrl + path, jsonRequest('POST', body, token)) };
}

function jsonRequest(method: string, body: unknown, token?: string): RequestInit {
  return {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function send<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (response.ok) return (await response.json()) as T;
  throw new Error(`${request.method} ${url}: ${response.status} ${await response.text()}`);
}

/** The bytes of a request. */
export function requestBytes(method: string, path: string, token?: string, body = ''): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

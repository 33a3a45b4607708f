/** Talks to a service before and after the measuring. */
export interface Client {
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** Of every account that is made here. */
export const PASSWORD = 'correct horse battery';

/** Signs an account up, the first of which is the administrator, and signs it in. */
export async function signUp(apiUrl: string, username: string): Promise<Client & { readonly id: string }> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  const { id } = await send<{ id: string }>('POST', `${apiUrl}/users/register`, body);
  return { id, ...(await signIn(apiUrl, username)) };
}

export async function signIn(apiUrl: string, username: string): Promise<Client> {
  const login = { username, password: PASSWORD };
  const { access_token: token } = await send<{ access_token: string }>(
    'POST',
    `${apiUrl}/users/login`,
    login,
  );
  return {
    token,
    get: (path) => send('GET', apiUrl + path, undefined, token),
    post: (path, more) => send('POST', apiUrl + path, more, token),
  };
}

async function send<T>(method: string, url: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status !== 200)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

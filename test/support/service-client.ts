import { TestClient } from '../../core/testing/test-client.ts';
import type { TestRequest, TestResponse } from '../../core/testing.ts';

/** Talks to a service process as an API client does. */
export function clientOf(url: string) {
  const client = new TestClient(`${url}/api/v1`);
  const request = (method: string, path: string, more?: TestRequest): Promise<TestResponse> =>
    client.send(method, path, more);
  /** The same, and the answer must be 200. */
  const ok = async (method: string, path: string, more?: TestRequest): Promise<TestResponse['body']> => {
    const { status, body } = await request(method, path, more);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    request,
    ok,
    /** Registers and signs in; answers the token. */
    signUp: async (username: string): Promise<string> => {
      const body = { username, email: `${username}@example.org`, password: 'correct horse battery' };
      await ok('POST', '/users/register', { body });
      return (await ok('POST', '/users/login', { body })).access_token as string;
    },
  };
}

/** A client of one account, whose requests must be answered 200. */
export interface AccountClient {
  readonly id: string;
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** Registers an account where there is none of that name, and signs it in. The first becomes the administrator. */
export async function signIn(url: string, username: string): Promise<AccountClient> {
  const { request, ok } = clientOf(url);
  const body = { username, email: `${username}@example.org`, password: 'correct horse battery' };
  await request('POST', '/users/register', { body });
  const { access_token: token } = await ok('POST', '/users/login', { body });
  const { id } = await ok('GET', '/users/me', { token });
  return {
    id,
    token,
    get: (path) => ok('GET', path, { token }),
    post: (path, body) => ok('POST', path, { token, body }),
  };
}

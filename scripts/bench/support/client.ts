import { clientOf } from '../../../test/support/service-client.ts';

/** Talks to a service before and after the measuring. */
export interface Client {
  readonly id: string;
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** Registers an account where there is none of that name, and signs it in. The first becomes the administrator. */
export async function signIn(url: string, username: string): Promise<Client> {
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

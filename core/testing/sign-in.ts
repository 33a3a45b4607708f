import type { Role } from '../auth/principal.ts';
import type { TestRequest, TestResponse } from './test-client.ts';

type Send = (method: string, path: string, request?: TestRequest) => Promise<TestResponse>;

/** The account of a test. */
export interface TestAccount {
  /** Default `user`. */
  readonly role?: Role;
  /** The name of the role by default. */
  readonly username?: string;
}

/** A client that sends the bearer token of an account with each request. */
export interface SignedInClient {
  readonly id: string;
  readonly username: string;
  readonly token: string;
  /** `path` is relative to the base URL. */
  request(method: string, path: string, request?: TestRequest): Promise<TestResponse>;
}

const PASSWORD = 'the password of a test';
const ADMIN = 'admin';

/** Registers an account if it is missing, and signs in. Throws an `Error` with the answer of the service when that fails. */
export async function signInOver(
  send: Send,
  { role = 'user', username = role }: TestAccount = {},
): Promise<SignedInClient> {
  // The first account becomes the administrator.
  await register(send, ADMIN);
  if (username !== ADMIN) await register(send, username);
  const { access_token: token } = await ok(send, 'POST', '/users/login', {
    body: { username, password: PASSWORD },
  });
  const account = await ok(send, 'GET', '/users/me', { token });
  if (role === 'admin' && account.role !== 'admin') await promote(send, account.id);
  return {
    id: account.id as string,
    username,
    token: token as string,
    request: (method: string, path: string, request: TestRequest = {}) =>
      send(method, path, { token, ...request }),
  };
}

async function register(send: Send, username: string): Promise<void> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  const { status, body: answer } = await send('POST', '/users/register', { body });
  if (answer.code === 'route_not_found') {
    throw new Error(
      `To sign in, a test needs the plugin "users": plugins: [...(await builtInPlugins(['users'])), plugin].`,
    );
  }
  if (status !== 200 && answer.code !== 'username_taken') throw refused('POST', '/users/register', answer);
}

async function promote(send: Send, id: string): Promise<void> {
  const login = { body: { username: ADMIN, password: PASSWORD } };
  const { access_token: token } = await ok(send, 'POST', '/users/login', login);
  await ok(send, 'PATCH', `/users/${id}`, { token, body: { role: 'admin' } });
}

async function ok(
  send: Send,
  method: string,
  path: string,
  request: TestRequest,
): Promise<TestResponse['body']> {
  const { status, body } = await send(method, path, request);
  if (status !== 200) throw refused(method, path, body);
  return body;
}

function refused(method: string, path: string, answer: unknown): Error {
  return new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`);
}

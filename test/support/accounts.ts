import { CLOCK, DATABASE, EVENTS, INVALIDATION, TOKEN_ISSUER } from '../../core/index.ts';
import type { TestKernel } from '../../core/testing.ts';
import { ACCOUNT_TRAIL } from '../../plugins/users/account-trail.ts';
import { UsersSettings } from '../../plugins/users/config.ts';
import { KNOWN_ADDRESSES } from '../../plugins/users/known-addresses.ts';
import { ONE_TIME_LINKS } from '../../plugins/users/links/one-time-links.ts';
import { LOGIN_THROTTLE } from '../../plugins/users/login-throttle.ts';
import type { Passwords } from '../../plugins/users/passwords.ts';
import { Registration } from '../../plugins/users/registration.ts';
import { REVOKED_TOKENS } from '../../plugins/users/revoked-tokens.ts';
import { SESSIONS } from '../../plugins/users/sessions.ts';
import { SignIn } from '../../plugins/users/sign-in.ts';

/** Somebody who signed in. */
export interface SignedIn {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

/** Of everybody who is signed up here. */
export const PASSWORD = 'correct horse battery';

/** Its hash, as the service makes it: whoever has this password can log in with it. */
const HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$HeAuCy1EUbbvakjMBFEZTw$jyXTDeb+T0+lY+iIisvU1dX1PA+cJeFFIyc2GZXcViA';

/** Makes and checks no hash: each takes a core for as long as a hundred calls, and gives way to all else on the machine. */
const knownPassword: Passwords = {
  hash: async (password) => {
    if (password !== PASSWORD) throw new Error(`The hash of "${password}" is not known here.`);
    return HASH;
  },
  matches: async (password, stored) => (await stored()) === HASH && password === PASSWORD,
};

/** Registers somebody, who need not be tested for being able to, and signs in. */
export async function signUp(kernel: TestKernel, username: string): Promise<SignedIn> {
  const account = { username, email: `${username}@example.org`, password: PASSWORD };
  const { id } = await new Registration({
    database: kernel.get(DATABASE),
    passwords: knownPassword,
    clock: kernel.get(CLOCK),
    events: kernel.get(EVENTS),
    settings: kernel.get(UsersSettings.token),
    known: kernel.get(KNOWN_ADDRESSES),
    trail: kernel.get(ACCOUNT_TRAIL),
  }).register(account, '127.0.0.1', { kind: 'anonymous', address: '127.0.0.1' });
  return { id, username, token: await signIn(kernel, username) };
}

/** The token of somebody who signed up here, with this kernel or with another one on the same database. */
export async function signIn(kernel: TestKernel, username: string): Promise<string> {
  const { access_token: token } = await new SignIn({
    database: kernel.get(DATABASE),
    passwords: knownPassword,
    throttle: kernel.get(LOGIN_THROTTLE),
    known: kernel.get(KNOWN_ADDRESSES),
    issuer: kernel.get(TOKEN_ISSUER),
    revoked: kernel.get(REVOKED_TOKENS),
    sessions: kernel.get(SESSIONS),
    links: kernel.get(ONE_TIME_LINKS),
    standing: [],
    invalidation: kernel.get(INVALIDATION),
    clock: kernel.get(CLOCK),
    trail: kernel.get(ACCOUNT_TRAIL),
  }).login({ username, password: PASSWORD, address: '127.0.0.1' });
  return token;
}

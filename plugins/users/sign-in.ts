import {
  authorOf,
  InvalidCredentials,
  isoTime,
  token,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type UserPrincipal,
  type ServiceOf,
  type TOKEN_ISSUER,
} from '../../core/index.ts';
import { uniqueKey } from './account-rules.ts';
import type { AccountTrail } from './account-trail.ts';
import type { Client } from './client.ts';
import { ACCOUNT_CHANGED_TOPIC, type StandingCredentials } from './contract.ts';
import type { KnownAddresses } from './known-addresses.ts';
import type { OneTimeLinks } from './links/one-time-links.ts';
import { guessing, type LoginThrottle } from './login-throttle.ts';
import { NO_PASSWORD, UserRow, type TokenChannel } from './models.ts';
import type { Passwords } from './passwords.ts';
import { WrongPassword } from './problems.ts';
import { refuseWellKnown } from './registration.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { Sessions } from './sessions.ts';
import type { PasswordChange, TokenResponse, User } from './schemas.ts';
import { endOfTokens, tokenId, type ReadAccount } from './token-ids.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly known: KnownAddresses;
  readonly issuer: ServiceOf<typeof TOKEN_ISSUER>;
  readonly revoked: RevokedTokens;
  readonly sessions: Sessions;
  readonly links: OneTimeLinks;
  /** Credentials that a change of the password revokes on request. */
  readonly standing: readonly StandingCredentials[];
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly trail: AccountTrail;
}

export interface Credentials extends Client {
  readonly username: string;
  readonly password: string;
}

export interface NewToken extends TokenResponse {
  readonly jti: string;
  /** How long it lives, in seconds. */
  readonly lifetime: number;
}

/** A change of the own account for which the current password is asked. */
export interface ConfirmedChange {
  readonly by: Author;
  readonly verb: 'change_password' | 'update' | 'delete';
}

/** Issues and ends tokens. */
export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Signs in. Unknown accounts, wrong passwords and disabled accounts get the same answer after the same time. */
  async login(credentials: Credentials): Promise<NewToken> {
    const user = await this.#admitted(credentials);
    return this.#signedIn(user, 'token', credentials);
  }

  /** Signs in as `login` does, and answers the account as well. */
  async openSession(credentials: Credentials): Promise<{ readonly user: User; readonly token: NewToken }> {
    const user = await this.#admitted(credentials);
    return { user, token: await this.#signedIn(user, 'session', credentials) };
  }

  /** Opens a session of an account that another plugin has authenticated. Throws `InvalidCredentials` unless it is active. */
  async openVouched(id: string, client: Client, means: object): Promise<NewToken> {
    const user = await this.#findById(id);
    if (user?.status !== 'active') throw InvalidCredentials('The account is disabled, or was deleted.');
    await this.#deps.known.add(user.username_key, client.address);
    return this.#signedIn(user, 'session', client, means);
  }

  /**
   * Changes the password, ends all tokens and on request API keys, and returns a new token. Throws `WrongPassword`,
   * `TooManyAttempts`, and `ValidationFailed` when the password of an administrator is well known. Only wrong passwords that came
   * with the same token count, so that guesses of others cannot prevent a change.
   */
  async changePassword(principal: UserPrincipal, change: PasswordChange, client: Client): Promise<NewToken> {
    const { passwords, standing } = this.#deps;
    const by = authorOf({ principal, request: { id: client.requestId, ip: client.address } });
    const row = await this.#own(principal, change.old_password, { by, verb: 'change_password' });
    if (row.role === 'admin') {
      const chosen = { username: row.username, password: change.new_password };
      refuseWellKnown(chosen, 'The password of an administrator', '/body/new_password');
    }
    const passwordHash = await passwords.hash(change.new_password);
    const account = await this.#changed(row, passwordHash, {
      by,
      ending: change.revoke_api_keys ? standing : [],
    });
    return this.#issued(account, principal.via === 'session' ? 'session' : 'token', client);
  }

  /** Throws `WrongPassword` and `TooManyAttempts`, counted as for a change of the password. */
  async confirm(principal: UserPrincipal, password: string, change: ConfirmedChange): Promise<void> {
    await this.#own(principal, password, change);
  }

  /** Ends the token of the request, also that of a session. */
  async logout({ userId, username, credentialId }: UserPrincipal, by: Author): Promise<void> {
    const { revoked, trail } = this.#deps;
    await revoked.add(credentialId, userId, (trx) =>
      trail.record(trx, by, 'sign_out', { id: userId, username }),
    );
  }

  /** The account of the request, if the password is its own; the audit trail is told of a wrong one. */
  async #own(
    { userId, username, credentialId }: UserPrincipal,
    password: string,
    { by, verb }: ConfirmedChange,
  ): Promise<UserRow> {
    const { throttle, trail } = this.#deps;
    const subject = guessing.token(credentialId);
    const row = await this.#checked(password, { subject }, () => this.#findById(userId));
    if (!row) {
      throttle.failed(subject);
      await trail.record(undefined, by, verb, { id: userId, username }, { outcome: 'failure' });
      throw wrongPassword();
    }
    throttle.succeeded(subject);
    return row;
  }

  async #admitted(credentials: Credentials): Promise<UserRow> {
    const { throttle, known, trail } = this.#deps;
    const { username, password, address } = credentials;
    const key = uniqueKey(username);
    const isKnown = await known.has(key, address);
    const subject = isKnown ? guessing.knownAddress(key, address) : guessing.account(key);
    const row = await this.#checked(password, { subject, address }, () => this.#findByKey(key));
    if (row?.status !== 'active') {
      throttle.failed(subject, address);
      await trail.signInFailed(username, credentials);
      throw InvalidCredentials('The username or the password is wrong, or the account is disabled.');
    }
    throttle.succeeded(subject);
    await known.add(key, address);
    return row;
  }

  /**
   * Returns the account when the password is correct. Checks the throttle before and after the wait in the queue, and
   * reads the account only after it, so that concurrent logins do not flood the database.
   */
  async #checked(
    password: string,
    { subject, address }: { readonly subject: string; readonly address?: string },
    find: () => Promise<UserRow | undefined>,
  ): Promise<UserRow | undefined> {
    const { throttle, passwords } = this.#deps;
    let row: UserRow | undefined;
    throttle.admit(subject, address);
    const isOwn = await passwords.matches(password, async () => {
      throttle.admit(subject, address);
      row = await find();
      return row?.password_hash === NO_PASSWORD ? undefined : row?.password_hash;
    });
    return isOwn ? row : undefined;
  }

  /** Changes the account only if it is as it was checked: of concurrent changes one wins, and disabled ones fail. */
  async #changed(
    checked: UserRow,
    passwordHash: string,
    { by, ending }: { readonly by: Author; readonly ending: readonly StandingCredentials[] },
  ): Promise<ReadAccount> {
    const { database, links, invalidation, clock, trail } = this.#deps;
    const { id, password_hash, tokens_after } = checked;
    const after = endOfTokens(checked);
    await database.transaction(async (trx) => {
      const changed = await UserRow.query(trx)
        .where({ id, password_hash, tokens_after, status: 'active' })
        .patch({ password_hash: passwordHash, tokens_after: after, updated_at: isoTime(clock.now()) });
      if (changed === 0) throw wrongPassword();
      await links.endAll(trx, id);
      for (const credentials of ending) await credentials.endAll(trx, id, by);
      await trail.record(trx, by, 'change_password', checked);
      invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
    });
    return { id, tokens_after: after };
  }

  #findByKey(key: string): Promise<UserRow | undefined> {
    return UserRow.query(this.#deps.database.knex).findOne({ username_key: key }).execute();
  }

  #findById(id: string): Promise<UserRow | undefined> {
    return UserRow.query(this.#deps.database.knex).findById(id).execute();
  }

  async #signedIn(user: UserRow, via: TokenChannel, client: Client, means?: object): Promise<NewToken> {
    const made = await this.#issued(user, via, client);
    await this.#deps.trail.signedIn(user, made.jti, client, means);
    return made;
  }

  async #issued(account: ReadAccount, via: TokenChannel, client: Client): Promise<NewToken> {
    const { token: jwt, claims } = this.#deps.issuer.issue(account.id, tokenId(account));
    const expires_at = isoTime(claims.exp * 1000);
    await this.#deps.sessions.begin({ id: claims.jti, userId: account.id, expires_at }, via, client);
    return {
      access_token: jwt,
      token_type: 'bearer',
      expires_at,
      lifetime: claims.exp - claims.iat,
      jti: claims.jti,
    };
  }
}

function wrongPassword(): Error {
  return WrongPassword('The current password is wrong, so nothing was changed.');
}

export const SIGN_IN = token<SignIn>('users:sign-in');

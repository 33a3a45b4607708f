import {
  InvalidCredentials,
  isoTime,
  token,
  type Clock,
  type Database,
  type Invalidation,
  type TokenIssuer,
  type UserPrincipal,
} from '../../core/index.ts';
import { uniqueKey } from './account-rules.ts';
import { ACCOUNT_CHANGED_TOPIC, type StandingCredentials } from './contract.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { NO_PASSWORD, UserRow } from './models.ts';
import type { Passwords } from './passwords.ts';
import { WrongPassword } from './problems.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { PasswordChange, TokenResponse, User } from './schemas.ts';
import { endOfTokens, tokenId, type ReadAccount } from './token-ids.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly issuer: TokenIssuer;
  readonly revoked: RevokedTokens;
  /** Credentials that a change of the password revokes on request. */
  readonly standing: readonly StandingCredentials[];
  readonly invalidation: Invalidation;
  readonly clock: Clock;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** The address of the client, for the throttle. */
  readonly address: string;
}

export interface NewToken extends TokenResponse {
  /** How long it lives, in seconds. */
  readonly lifetime: number;
}

/** Issues and ends tokens. */
export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Signs in. Unknown accounts, wrong passwords and disabled accounts get the same answer after the same time. */
  async login(credentials: Credentials): Promise<NewToken> {
    return this.#tokenFor(await this.#admitted(credentials));
  }

  /** Signs in as `login` does, and answers the account as well. */
  async openSession(credentials: Credentials): Promise<{ readonly user: User; readonly token: NewToken }> {
    const user = await this.#admitted(credentials);
    return { user, token: this.#tokenFor(user) };
  }

  /**
   * Changes the password, ends all tokens and on request API keys, and returns a new token. Throws `WrongPassword` and
   * `TooManyAttempts`.
   */
  async changePassword(principal: UserPrincipal, change: PasswordChange, address: string): Promise<NewToken> {
    const { passwords, throttle, standing } = this.#deps;
    const key = uniqueKey(principal.username);
    const row = await this.#checked(key, change.old_password, address, () =>
      this.#findById(principal.userId),
    );
    if (!row) {
      throttle.failed(key, address);
      throw wrongPassword();
    }
    throttle.succeeded(key);
    const passwordHash = await passwords.hash(change.new_password);
    return this.#tokenFor(await this.#changed(row, passwordHash, change.revoke_api_keys ? standing : []));
  }

  /** Ends the token of the request, also that of a session. */
  async logout({ userId, credentialId }: UserPrincipal): Promise<void> {
    await this.#deps.revoked.add(credentialId, userId);
  }

  async #admitted({ username, password, address }: Credentials): Promise<UserRow> {
    const key = uniqueKey(username);
    const row = await this.#checked(key, password, address, () => this.#findByKey(key));
    if (row?.status !== 'active') {
      this.#deps.throttle.failed(key, address);
      throw InvalidCredentials('The username or the password is wrong, or the account is disabled.');
    }
    this.#deps.throttle.succeeded(key);
    return row;
  }

  /**
   * Returns the account when the password is correct. Checks the throttle before and after the wait in the queue, and
   * reads the account only after it, so that concurrent logins do not flood the database.
   */
  async #checked(
    key: string,
    password: string,
    address: string,
    find: () => Promise<UserRow | undefined>,
  ): Promise<UserRow | undefined> {
    const { throttle, passwords } = this.#deps;
    let row: UserRow | undefined;
    throttle.admit(key, address);
    const isOwn = await passwords.matches(password, async () => {
      throttle.admit(key, address);
      row = await find();
      return row?.password_hash === NO_PASSWORD ? undefined : row?.password_hash;
    });
    return isOwn ? row : undefined;
  }

  /** Changes the account only if it is as it was checked: of concurrent changes one wins, and disabled ones fail. */
  async #changed(
    checked: UserRow,
    passwordHash: string,
    ending: readonly StandingCredentials[],
  ): Promise<ReadAccount> {
    const { database, invalidation, clock } = this.#deps;
    const { id, password_hash, tokens_after } = checked;
    const after = endOfTokens(checked);
    await database.transaction(async (trx) => {
      const changed = await UserRow.query(trx)
        .where({ id, password_hash, tokens_after, status: 'active' })
        .patch({ password_hash: passwordHash, tokens_after: after, updated_at: isoTime(clock.now()) });
      if (changed === 0) throw wrongPassword();
      for (const credentials of ending) await credentials.endAll(trx, id);
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

  #tokenFor(account: ReadAccount): NewToken {
    const { token: jwt, claims } = this.#deps.issuer.issue(account.id, tokenId(account));
    const expires_at = isoTime(claims.exp * 1000);
    return { access_token: jwt, token_type: 'bearer', expires_at, lifetime: claims.exp - claims.iat };
  }
}

function wrongPassword(): Error {
  return WrongPassword('The current password is wrong, so it was not changed.');
}

export const SIGN_IN = token<SignIn>('users:sign-in');

import {
  InvalidCredentials,
  isoTime,
  newId,
  token,
  type Clock,
  type Database,
  type Signals,
  type TokenIssuer,
  type UserPrincipal,
} from '../../core/index.ts';
import { uniqueKey } from './account-rules.ts';
import { ACCOUNT_CHANGED_TOPIC } from './contract.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { UserRow } from './models.ts';
import type { Passwords } from './passwords.ts';
import { WrongPassword } from './problems.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { TokenResponse } from './schemas.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly issuer: TokenIssuer;
  readonly revoked: RevokedTokens;
  readonly signals: Signals;
  readonly clock: Clock;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** The client's address, for the throttle. */
  readonly address: string;
}

/** Gives out tokens and ends them. */
export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Unknown, wrong and disabled get one answer, in the same time. Throws `InvalidCredentials`, `TooManyAttempts`. */
  async login({ username, password, address }: Credentials): Promise<TokenResponse> {
    const key = uniqueKey(username);
    const row = await this.#checked(key, password, address, () => this.#findByKey(key));
    if (row?.status !== 'active') {
      this.#deps.throttle.failed(key, address);
      throw InvalidCredentials('The username or the password is wrong, or the account is disabled.');
    }
    this.#deps.throttle.succeeded(key);
    return this.#tokenFor(row.id);
  }

  /** Ends every token issued so far and answers a new one. Throws `WrongPassword`, `TooManyAttempts`. */
  async changePassword(
    principal: UserPrincipal,
    change: { readonly old_password: string; readonly new_password: string },
    address: string,
  ): Promise<TokenResponse> {
    const { database, passwords, throttle, signals, clock } = this.#deps;
    const key = uniqueKey(principal.username);
    const row = await this.#checked(key, change.old_password, address, () =>
      this.#findById(principal.userId),
    );
    if (!row) {
      throttle.failed(key, address);
      throw WrongPassword('The current password is wrong, so it was not changed.');
    }
    throttle.succeeded(key);
    const passwordHash = await passwords.hash(change.new_password);
    await database.transaction(async (trx) => {
      await UserRow.query(trx)
        .findById(row.id)
        .patch({ password_hash: passwordHash, tokens_after: newId(), updated_at: isoTime(clock.now()) });
      signals.publish(trx, ACCOUNT_CHANGED_TOPIC, row.id);
    });
    return this.#tokenFor(row.id);
  }

  /** Ends the token that was used. */
  async logout({ userId, credentialId }: UserPrincipal): Promise<void> {
    await this.#deps.revoked.add(credentialId, userId);
  }

  /**
   * The account, when the password is its own. The throttle is asked at once and when its turn has come; only then is
   * the account looked up, so that many logins at once ask the database one by one.
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
      return row?.password_hash;
    });
    return isOwn ? row : undefined;
  }

  #findByKey(key: string): Promise<UserRow | undefined> {
    return UserRow.query(this.#deps.database.knex).findOne({ username_key: key }).execute();
  }

  #findById(id: string): Promise<UserRow | undefined> {
    return UserRow.query(this.#deps.database.knex).findById(id).execute();
  }

  #tokenFor(userId: string): TokenResponse {
    const { token: jwt, claims } = this.#deps.issuer.issue(userId);
    return { access_token: jwt, token_type: 'bearer', expires_at: isoTime(claims.exp * 1000) };
  }
}

export const SIGN_IN = token<SignIn>('users:sign-in');

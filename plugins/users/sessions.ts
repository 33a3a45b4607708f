import {
  isId,
  isoTime,
  token,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';
import type { AccountTrail } from './account-trail.ts';
import { lockedAccount } from './administration.ts';
import { lockAdministrators } from './administrators.ts';
import type { Client } from './client.ts';
import { ACCOUNT_CHANGED_TOPIC, type CredentialUses, type SignedIn } from './contract.ts';
import { SessionRow, UserRow, type TokenChannel } from './models.ts';
import { SessionNotFound } from './problems.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { SessionList, SessionsQuery, User } from './schemas.ts';
import { endOfTokens } from './token-ids.ts';

const LONGEST_USER_AGENT = 400;

type NamedAccount = Pick<User, 'id' | 'username'>;

export interface SessionsDeps {
  readonly database: Database;
  readonly revoked: RevokedTokens;
  readonly uses: CredentialUses;
  readonly signedIn: SignedIn;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly trail: AccountTrail;
}

/** Keeps a list of the tokens that sign-ins gave to each account, also those in cookies, so that its owner can end them. */
export class Sessions {
  readonly #deps: SessionsDeps;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /** Puts a new token, with the `jti` that is its id, on the list. */
  async begin(
    token: { readonly id: string; readonly userId: string; readonly expires_at: string },
    via: TokenChannel,
    { address, userAgent }: Client,
  ): Promise<void> {
    const { database, clock } = this.#deps;
    await SessionRow.query(database.knex).insert({
      id: token.id,
      user_id: token.userId,
      via,
      address,
      user_agent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      created_at: isoTime(clock.now()),
      expires_at: token.expires_at,
    });
  }

  /** A page of those of an account that have not ended, newest first; one of them may be that of the caller. */
  async list(
    userId: string,
    { skip, limit }: SessionsQuery,
    { credentialId }: UserPrincipal,
  ): Promise<SessionList> {
    const those = this.#livingOf(userId);
    const total = await those.clone().resultSize();
    const page = await those
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .offset(skip)
      .limit(limit);
    const last = await this.#deps.uses.lastOf(page.map(({ id }) => id));
    const sessions = page.map(({ id, via, address, user_agent, created_at, expires_at }) => ({
      id,
      via,
      address,
      user_agent,
      created_at,
      last_used_at: last.get(id) ?? null,
      expires_at,
      current: id === credentialId,
    }));
    return { sessions, total };
  }

  /** Ends a session of the account. Throws `SessionNotFound`. */
  async end(account: NamedAccount, id: string, by: Author): Promise<void> {
    const row = isId(id) ? await this.#livingOf(account.id).findById(id) : undefined;
    if (!row) throw SessionNotFound(`The account "${account.username}" has no session with the id "${id}".`);
    await this.#deps.revoked.add(id, account.id, (trx) =>
      this.#deps.trail.record(trx, by, 'sign_out', account, { before: { session: id } }),
    );
  }

  /** Ends all tokens of the account, also the one of the request. */
  async endAll(principal: UserPrincipal, by: Author): Promise<void> {
    const { database, signedIn } = this.#deps;
    await database.transaction(async (trx) => {
      await signedIn.hold(trx, principal);
      const account = await UserRow.query(trx).findById(principal.userId).throwIfNotFound();
      await this.#endTokens(trx, account, by);
    });
  }

  /**
   * Ends all tokens of an account for an administrator. Throws `UserNotFound`, and `Forbidden` when the caller is no longer
   * an administrator.
   */
  async endAllOf(userId: string, principal: UserPrincipal, by: Author): Promise<void> {
    await this.#deps.database.transaction(async (trx) => {
      await lockAdministrators(trx, principal);
      await this.#endTokens(trx, await lockedAccount(trx, userId), by);
    });
  }

  /** Forgets those that have expired. */
  async deleteEnded(): Promise<void> {
    const { database, uses, clock } = this.#deps;
    const now = isoTime(clock.now());
    await database.transaction(async (trx) => {
      const old = () => SessionRow.query(trx).where('expires_at', '<=', now);
      const ended = await old().select('id');
      await uses.forget(
        trx,
        ended.map(({ id }) => id),
      );
      await old().delete();
    });
  }

  async #endTokens(trx: Transaction, account: UserRow, by: Author): Promise<void> {
    const { invalidation, trail } = this.#deps;
    await account.$query(trx).patch({ tokens_after: endOfTokens(account) });
    await trail.record(trx, by, 'sign_out_everywhere', account);
    invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, account.id);
  }

  #livingOf(userId: string) {
    const { database, clock } = this.#deps;
    return SessionRow.query(database.knex)
      .where('user_id', userId)
      .where('expires_at', '>', isoTime(clock.now()))
      .where('id', '>', UserRow.query(database.knex).findById(userId).select('tokens_after'));
  }
}

export const SESSIONS = token<Sessions>('users:sessions');

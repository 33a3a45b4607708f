import {
  DAY_MS,
  Forbidden,
  isId,
  isoTime,
  newId,
  storableTime,
  token,
  ValidationFailed,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';
import type {
  AccountBelongings,
  CredentialUses,
  SignedIn,
  StandingCredential,
  StandingCredentials,
} from '../users/contract.ts';
import type { ApiKeysSettings } from './config.ts';
import { hashOf, maskOf, newKey } from './key-text.ts';
import type { KeyRules } from './key-rules.ts';
import { KeyRow, publishChange, targetOf } from './models.ts';
import { KeyNotFound, TooManyKeys } from './problems.ts';
import type { ApiKey, ApiKeyCreateRequest, ApiKeysQuery } from './schemas.ts';
import { shown } from './shown-key.ts';
import { stored, storedScopes } from './stored-lists.ts';

/** Long enough to see in the list why a client stopped working; the audit trail tells of the key for longer. */
const ENDED_KEPT_MS = 30 * DAY_MS;

export interface ApiKeysDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly signedIn: SignedIn;
  readonly uses: CredentialUses;
  readonly rules: KeyRules;
  readonly settings: ApiKeysSettings;
  readonly audit: Audit;
}

/** Entries of a list of everybody's keys, whose number has no bound. */
const PAGE = 100;

/** Creates, lists and revokes the API keys of users. */
export class ApiKeys implements StandingCredentials, AccountBelongings {
  readonly name = 'api-keys';
  readonly #deps: ApiKeysDeps;

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a key; only this answer contains the whole key. Throws `ValidationFailed`, `TooManyKeys`, and
   * `InvalidCredentials` when the token of the request ends meanwhile, because the key would survive what ended the token.
   */
  async create(principal: UserPrincipal, asked: ApiKeyCreateRequest, by: Author): Promise<ApiKey> {
    const { database, clock, signedIn, rules, audit } = this.#deps;
    const { userId } = principal;
    const expiry = rules.expiry(asked.expires_at);
    rules.networks(asked.networks);
    await rules.algorithms(principal, asked.algorithms);
    const key = newKey();
    const now = isoTime(clock.now());
    const row = {
      id: newId(),
      user_id: userId,
      name: asked.name,
      hash: hashOf(key),
      mask: maskOf(key),
      expires_at: expiry,
      scopes: storedScopes(asked.scopes),
      algorithms: stored(asked.algorithms),
      networks: stored(asked.networks),
      previous_hash: null,
      previous_until: null,
      warned_at: null,
      revoked_at: null,
      created_at: now,
      updated_at: now,
    };
    const created = await database.transaction(async (trx) => {
      await signedIn.hold(trx, principal);
      await this.#refuseTooMany(trx, userId, now);
      const inserted = await KeyRow.query(trx).insert(row);
      const after = shown(inserted, this.#shownAt());
      await audit.record(trx, by, { action: 'api_key.create', target: targetOf(row), after });
      return inserted;
    });
    return { ...shown(created, this.#shownAt()), key };
  }

  /**
   * A page of the keys with a status, active ones first and then newest first, and how many there are in all: those of the
   * caller, or for administrators of the account that the query names, or of everybody. Throws `Forbidden` and
   * `ValidationFailed`.
   */
  async list(principal: UserPrincipal, query: ApiKeysQuery): Promise<{ page: ApiKey[]; total: number }> {
    const { database, clock, uses } = this.#deps;
    const { status, skip } = query;
    const owner = ownerIn(principal, query);
    const before = endIn(query);
    const limit = query.limit ?? (owner === undefined ? PAGE : undefined);
    const now = isoTime(clock.now());
    const those = KeyRow.query(database.knex);
    if (owner !== undefined) void those.where('user_id', owner);
    if (before !== undefined) void those.where('expires_at', '<', before);
    if (status === 'revoked') void those.whereNotNull('revoked_at');
    if (status === 'expired') void those.whereNull('revoked_at').where('expires_at', '<=', now);
    if (status === 'active') void those.whereNull('revoked_at').where('expires_at', '>', now);
    const page = those
      .clone()
      .orderByRaw('(CASE WHEN revoked_at IS NULL AND expires_at > ? THEN 0 ELSE 1 END), id DESC', [now])
      .offset(skip);
    if (limit !== undefined) void page.limit(limit);
    const rows = await page;
    const last = await uses.lastOf(rows.map(({ id }) => id));
    return {
      page: rows.map((row) => shown(row, this.#shownAt(), last.get(row.id))),
      total: await those.resultSize(),
    };
  }

  /** A key of the caller, or of anybody for administrators. Throws `KeyNotFound`. */
  async find(principal: UserPrincipal, id: string): Promise<ApiKey> {
    const row = await this.#row(principal, id);
    return shown(row, this.#shownAt(), (await this.#deps.uses.lastOf([id])).get(id));
  }

  async active(trx: Transaction, userId: string): Promise<readonly StandingCredential[]> {
    return this.#active(trx, userId, isoTime(this.#deps.clock.now())).orderBy('id', 'desc');
  }

  /** Deletes keys for good that were revoked or have expired long enough ago. */
  async deleteEnded(): Promise<void> {
    const { database, clock, uses } = this.#deps;
    const before = isoTime(clock.now() - ENDED_KEPT_MS);
    await database.transaction(async (trx) => {
      const old = () =>
        KeyRow.query(trx).where('expires_at', '<=', before).orWhere('revoked_at', '<=', before);
      const ended = await old().select('id');
      await uses.forget(
        trx,
        ended.map(({ id }) => id),
      );
      await old().delete();
    });
  }

  /**
   * Revokes a key, on other instances within 2 s; administrators those of everybody. Throws `KeyNotFound`, also for a key
   * of another account.
   */
  async revoke(principal: UserPrincipal, id: string, by: Author): Promise<void> {
    const { database, invalidation, clock, audit } = this.#deps;
    const row = await this.#row(principal, id);
    const now = isoTime(clock.now());
    await database.transaction(async (trx) => {
      // The secrets at this moment: a rotation may have come between.
      const ended = await KeyRow.query(trx)
        .where('id', id)
        .whereNull('revoked_at')
        .patch({ revoked_at: now, updated_at: now })
        .returning(['hash', 'previous_hash']);
      const before = shown(row, this.#shownAt());
      if (ended.length > 0)
        await audit.record(trx, by, { action: 'api_key.revoke', target: targetOf(row), before });
      publishChange(invalidation, trx, ended);
    });
  }

  async endAll(trx: Transaction, userId: string, by: Author): Promise<void> {
    const { invalidation, clock, audit } = this.#deps;
    const now = isoTime(clock.now());
    const ended = await this.#active(trx, userId, now)
      .patch({ revoked_at: now, updated_at: now })
      .returning('*');
    for (const row of ended) {
      const before = shown(row.$clone().$set({ revoked_at: null }), this.#shownAt());
      await audit.record(trx, by, { action: 'api_key.revoke', target: targetOf(row), before });
    }
    publishChange(invalidation, trx, ended);
  }

  /** Deletes the keys of a deleted account, which were revoked before. */
  async takeBack(trx: Transaction, userId: string): Promise<void> {
    const keys = await KeyRow.query(trx).where('user_id', userId).select('id');
    await this.#deps.uses.forget(
      trx,
      keys.map(({ id }) => id),
    );
    await KeyRow.query(trx).where('user_id', userId).delete();
  }

  async #refuseTooMany(trx: Transaction, userId: string, now: string): Promise<void> {
    const most = this.#deps.settings.active_per_user;
    if ((await this.#active(trx, userId, now).resultSize()) >= most) {
      throw TooManyKeys(
        `You have ${most} active API keys, which is as many as one user may have. Delete one first.`,
      );
    }
  }

  async #row({ userId, role }: UserPrincipal, id: string): Promise<KeyRow> {
    const row = isId(id) ? await KeyRow.query(this.#deps.database.knex).findById(id) : undefined;
    if (row && (row.user_id === userId || role === 'admin')) return row;
    throw KeyNotFound(
      role === 'admin' ? `No API key has the id "${id}".` : `You have no API key with the id "${id}".`,
    );
  }

  #shownAt() {
    return { now: this.#deps.clock.now(), warnDays: this.#deps.settings.warn_days };
  }

  #active(trx: Transaction, userId: string, now: string) {
    return KeyRow.query(trx).where('user_id', userId).whereNull('revoked_at').where('expires_at', '>', now);
  }
}

/** Whose keys a list has; `undefined` for everybody's. Throws `Forbidden` and `ValidationFailed`. */
function ownerIn({ userId, role }: UserPrincipal, { user_id }: ApiKeysQuery): string | undefined {
  if (user_id === undefined || user_id === userId) return userId;
  if (role !== 'admin') throw Forbidden('Only administrators may list the API keys of others.');
  if (user_id === 'all') return undefined;
  if (isId(user_id)) return user_id;
  throw ValidationFailed(`"${user_id}" is no id of an account.`, {
    errors: [{ pointer: '/query/user_id', message: 'must be the id of an account, or "all".' }],
  });
}

/** The time before which the keys of a list stop working. Throws `ValidationFailed` for one that no key could have. */
function endIn({ expires_before: text }: ApiKeysQuery): string | undefined {
  const time = text === undefined ? undefined : storableTime(text);
  if (text === undefined || time !== undefined) return time === undefined ? undefined : isoTime(time);
  throw ValidationFailed(`"${text}" is no time at which a key could expire.`, {
    errors: [{ pointer: '/query/expires_before', message: 'must be a time before the year 10000.' }],
  });
}

export const API_KEYS = token<ApiKeys>('api-keys:api-keys');

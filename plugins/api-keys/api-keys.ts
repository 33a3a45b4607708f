import {
  DAY_MS,
  isId,
  isoTime,
  newId,
  SCOPES,
  timeIn,
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
import type { KeyOwners } from './contract.ts';
import { hashOf, maskOf, newKey } from './key-text.ts';
import { KeyRow } from './models.ts';
import { KeyNotFound, TooManyKeys } from './problems.ts';
import { scopesIn, storedScopes } from './stored-scopes.ts';
import type { ApiKey, ApiKeyCreateRequest, ApiKeysQuery } from './schemas.ts';

/** The `Invalidation` topic with the hash of the key that was revoked. */
export const KEY_CHANGED_TOPIC = 'api-keys:key';

export interface ApiKeysDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly signedIn: SignedIn;
  readonly uses: CredentialUses;
  readonly settings: ApiKeysSettings;
  readonly audit: Audit;
}

/** Times are stored as text with years of four digits. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** Creates, lists and revokes the API keys of users. */
export class ApiKeys implements KeyOwners, StandingCredentials, AccountBelongings {
  readonly name = 'api-keys';
  readonly #deps: ApiKeysDeps;

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a key; only this answer contains the whole key. Throws `ValidationFailed`, `TooManyKeys`, and
   * `InvalidCredentials` when the token of the request ends meanwhile, because the key would survive what ended the token.
   */
  async create(
    principal: UserPrincipal,
    { name, expires_at, scopes }: ApiKeyCreateRequest,
    by: Author,
  ): Promise<ApiKey> {
    const { database, clock, signedIn, audit } = this.#deps;
    const { userId } = principal;
    const expiry = this.#checkedExpiry(expires_at);
    const key = newKey();
    const now = isoTime(clock.now());
    const row = {
      id: newId(),
      user_id: userId,
      name,
      hash: hashOf(key),
      mask: maskOf(key),
      expires_at: isoTime(expiry),
      scopes: storedScopes(scopes),
      revoked_at: null,
      created_at: now,
      updated_at: now,
    };
    const created = await database.transaction(async (trx) => {
      await signedIn.hold(trx, principal);
      await this.#refuseTooMany(trx, userId, now);
      const stored = await KeyRow.query(trx).insert(row);
      const after = shown(stored, clock.now());
      await audit.record(trx, by, { action: 'api_key.create', target: targetOf(row), after });
      return stored;
    });
    return { ...shown(created, clock.now()), key };
  }

  /** A page of the keys of a user with a status, active ones first and then newest first, and how many there are in all. */
  async list(
    userId: string,
    { status, skip, limit }: ApiKeysQuery,
  ): Promise<{ page: ApiKey[]; total: number }> {
    const { database, clock, uses } = this.#deps;
    const now = isoTime(clock.now());
    const those = KeyRow.query(database.knex).where('user_id', userId);
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
      page: rows.map((row) => shown(row, clock.now(), last.get(row.id))),
      total: await those.resultSize(),
    };
  }

  async active(trx: Transaction, userId: string): Promise<readonly StandingCredential[]> {
    return this.#active(trx, userId, isoTime(this.#deps.clock.now())).orderBy('id', 'desc');
  }

  /** Deletes keys for good that were revoked or have expired long enough ago. */
  async deleteEnded(): Promise<void> {
    const { database, clock, settings, uses } = this.#deps;
    const before = isoTime(clock.now() - settings.ended_kept_days * DAY_MS);
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

  async ownerOf(keyId: string): Promise<string | undefined> {
    const row = isId(keyId) ? await KeyRow.query(this.#deps.database.knex).findById(keyId) : undefined;
    return row?.user_id;
  }

  /** Revokes a key, on other instances within 2 s. Throws `KeyNotFound` for a key of another user. */
  async revoke(userId: string, id: string, by: Author): Promise<void> {
    const { database, invalidation, clock, audit } = this.#deps;
    const row = isId(id) ? await KeyRow.query(database.knex).findOne({ id, user_id: userId }) : undefined;
    if (!row) throw KeyNotFound(`You have no API key with the id "${id}".`);
    const now = isoTime(clock.now());
    await database.transaction(async (trx) => {
      const revoked = await KeyRow.query(trx)
        .findById(id)
        .whereNull('revoked_at')
        .patch({ revoked_at: now, updated_at: now });
      const before = shown(row, clock.now());
      if (revoked > 0)
        await audit.record(trx, by, { action: 'api_key.revoke', target: targetOf(row), before });
      invalidation.publish(trx, KEY_CHANGED_TOPIC, row.hash);
    });
  }

  async endAll(trx: Transaction, userId: string): Promise<void> {
    const { invalidation, clock } = this.#deps;
    const now = isoTime(clock.now());
    const ended = await this.#active(trx, userId, now)
      .patch({ revoked_at: now, updated_at: now })
      .returning('hash');
    for (const { hash } of ended) invalidation.publish(trx, KEY_CHANGED_TOPIC, hash);
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

  #checkedExpiry(text: string): number {
    const { clock, settings } = this.#deps;
    const expiry = timeIn(text);
    const longest = settings.longest_life_days;
    const refuse = (message: string) =>
      ValidationFailed(`The expiry "${text}" is not acceptable: it ${message}`, {
        errors: [{ pointer: '/body/expires_at', message }],
      });
    if (expiry === undefined || expiry <= clock.now() || expiry >= YEAR_10000) {
      throw refuse('must lie in the future.');
    }
    if (longest > 0 && expiry > clock.now() + longest * DAY_MS) {
      throw refuse(`must lie within the next ${longest} days.`);
    }
    return expiry;
  }

  async #refuseTooMany(trx: Transaction, userId: string, now: string): Promise<void> {
    const most = this.#deps.settings.active_per_user;
    if ((await this.#active(trx, userId, now).resultSize()) >= most) {
      throw TooManyKeys(
        `You have ${most} active API keys, which is as many as one user may have. Delete one first.`,
      );
    }
  }

  #active(trx: Transaction, userId: string, now: string) {
    return KeyRow.query(trx).where('user_id', userId).whereNull('revoked_at').where('expires_at', '>', now);
  }
}

function targetOf({ id, name }: Pick<KeyRow, 'id' | 'name'>) {
  return { kind: 'api_key', id, name };
}

function shown(row: KeyRow, now: number, last_used_at: string | null = null): ApiKey {
  const { id, user_id, mask: key, name, expires_at, created_at, updated_at } = row;
  const ended = Date.parse(expires_at) <= now ? 'expired' : 'active';
  const status = row.revoked_at === null ? ended : 'revoked';
  const scopes = [...(scopesIn(row.scopes) ?? SCOPES)];
  return { id, user_id, key, name, expires_at, scopes, status, created_at, updated_at, last_used_at };
}

export const API_KEYS = token<ApiKeys>('api-keys:api-keys');

import { LRUCache } from 'lru-cache';
import {
  InvalidCredentials,
  type Clock,
  type CredentialSource,
  type CredentialVerifier,
  type Database,
  type PreparedRead,
  type Invalidation,
  type UserPrincipal,
} from '../../core/index.ts';
import type { Account, Accounts, CredentialUses } from '../users/contract.ts';
import { KEY_CHANGED_TOPIC } from './api-keys.ts';
import { hashOf, isWellFormed, KEY_PREFIX } from './key-text.ts';
import { scopesIn, type Scope } from './stored-scopes.ts';

interface StoredKey {
  readonly id: string;
  readonly user_id: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly scopes: string | null;
}

/** A key that is in the database and was not revoked. */
interface KnownKey {
  readonly id: string;
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly scopes: readonly Scope[] | undefined;
}

const BY_HASH = 'select id, user_id, expires_at, revoked_at, scopes from api_keys_keys where hash = ?';
const MAX_KEYS = 10_000;

export interface KeyVerifierDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly uses: CredentialUses;
  readonly clock: Clock;
}

/** Verifies API keys in `X-API-Key` and `Authorization: Bearer vk_…`. Returns no promise when the key is cached. */
export class KeyVerifier implements CredentialVerifier {
  readonly name = 'api-keys:key';
  readonly #deps: KeyVerifierDeps;
  readonly #read: PreparedRead<StoredKey>;
  readonly #keys: LRUCache<string, KnownKey>;

  constructor(deps: KeyVerifierDeps) {
    this.#deps = deps;
    this.#read = deps.database.read<StoredKey>(BY_HASH);
    this.#keys = new LRUCache<string, KnownKey>({
      max: MAX_KEYS,
      fetchMethod: (hash) => this.#load(hash),
      // An invalidation during a read only keeps its result out of the cache; waiting requests still get the result.
      ignoreFetchAbort: true,
    });
    deps.invalidation.subscribe(KEY_CHANGED_TOPIC, (hash) => {
      if (hash === undefined) this.#keys.clear();
      else this.#keys.delete(hash);
    });
  }

  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined> {
    const key = keyIn(source);
    if (key === undefined) return undefined;
    if (!isWellFormed(key)) throw invalid();
    const hash = hashOf(key);
    const known = this.#keys.get(hash) ?? this.#keys.forceFetch(hash);
    return known instanceof Promise ? known.then((found) => this.#holderOf(found)) : this.#holderOf(known);
  }

  /** Throws for an unknown key instead of caching it, so that invented keys cannot evict real ones. */
  async #load(hash: string): Promise<KnownKey> {
    const row = await this.#read.first(hash);
    if (!row || row.revoked_at !== null) throw invalid();
    const scopes = scopesIn(row.scopes);
    return { id: row.id, userId: row.user_id, expiresAt: Date.parse(row.expires_at), scopes };
  }

  #holderOf(key: KnownKey): UserPrincipal | Promise<UserPrincipal> {
    if (key.expiresAt <= this.#deps.clock.now()) throw invalid();
    const account = this.#deps.accounts.find(key.userId);
    return account instanceof Promise
      ? account.then((found) => this.#principal(key, found))
      : this.#principal(key, account);
  }

  #principal(key: KnownKey, account: Account | undefined): UserPrincipal {
    if (account?.status !== 'active') throw invalid();
    this.#deps.uses.note(key.id);
    const { id, username, role } = account;
    const { id: credentialId, scopes } = key;
    return { kind: 'user', userId: id, username, role, via: 'api-key', credentialId, scopes };
  }
}

/** The API key of a request; `undefined` leaves credentials of another form to other verifiers. */
function keyIn(source: CredentialSource): string | undefined {
  const sent = source.header('x-api-key') ?? source.bearer;
  return sent?.startsWith(KEY_PREFIX) ? sent : undefined;
}

function invalid(): Error {
  return InvalidCredentials('The API key is unknown, expired or revoked, or its account is disabled.');
}

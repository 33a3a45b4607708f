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
import { hashOf, isWellFormed, KEY_PREFIX } from './key-text.ts';
import { KEY_CHANGED_TOPIC } from './models.ts';
import { KeyElsewhere } from './problems.ts';
import { listIn, networksIn, scopesIn, type Scope } from './stored-lists.ts';

interface StoredKey {
  readonly id: string;
  readonly user_id: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly scopes: string | null;
  readonly algorithms: string | null;
  readonly networks: string | null;
  readonly previous_hash: string | null;
  readonly previous_until: string | null;
}

/** A key that is in the database and was not revoked. */
interface KnownKey {
  readonly id: string;
  readonly userId: string;
  /** The end of the key, or of a secret that was rotated; milliseconds since 1970. */
  readonly expiresAt: number;
  readonly scopes: readonly Scope[] | undefined;
  /** The algorithms that the key is restricted to. */
  readonly resources: ReadonlySet<string> | undefined;
  /** Tests addresses against the networks that the key is restricted to. */
  readonly accepts: ((address: string) => boolean) | undefined;
}

const BY_HASH = `SELECT id, user_id, expires_at, revoked_at, scopes, algorithms, networks, previous_hash, previous_until
  FROM api_keys_keys WHERE hash = ? OR previous_hash = ?`;
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
    return known instanceof Promise
      ? known.then((found) => this.#holderOf(found, source))
      : this.#holderOf(known, source);
  }

  /** Throws for an unknown key instead of caching it, so that invented keys cannot evict real ones. */
  async #load(hash: string): Promise<KnownKey> {
    const row = await this.#read.first(hash, hash);
    if (!row || row.revoked_at !== null) throw invalid();
    const algorithms = listIn(row.algorithms);
    const until = row.previous_hash === hash ? row.previous_until : null;
    return {
      id: row.id,
      userId: row.user_id,
      expiresAt: Math.min(Date.parse(row.expires_at), until === null ? Infinity : Date.parse(until)),
      scopes: scopesIn(row.scopes),
      resources: algorithms && new Set(algorithms),
      accepts: networksIn(row.networks),
    };
  }

  #holderOf(key: KnownKey, source: CredentialSource): UserPrincipal | Promise<UserPrincipal> {
    if (key.expiresAt <= this.#deps.clock.now()) throw invalid();
    const account = this.#deps.accounts.find(key.userId);
    return account instanceof Promise
      ? account.then((found) => this.#principal(key, found, source))
      : this.#principal(key, account, source);
  }

  #principal(key: KnownKey, account: Account | undefined, source: CredentialSource): UserPrincipal {
    if (account?.status !== 'active') throw invalid();
    if (key.accepts !== undefined && !key.accepts(source.ip)) throw elsewhere(source.ip);
    this.#deps.uses.note(key.id);
    const { id, username, role } = account;
    const { id: credentialId, scopes, resources } = key;
    return { kind: 'user', userId: id, username, role, via: 'api-key', credentialId, scopes, resources };
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

/** Does not tell the networks, which are no business of who found the key. */
function elsewhere(address: string): Error {
  return KeyElsewhere(
    `The API key is restricted to some networks, and the address ${address} is in none of them. Its owner can change the \`networks\` of the key.`,
  );
}

import type {
  Clock,
  CredentialSource,
  CredentialVerifier,
  Database,
  PreparedRead,
  Invalidation,
  UserPrincipal,
} from '../../core/index.ts';
import type { Account, Accounts, CredentialUses } from '../users/contract.ts';
import { holderOf, invalidKey, KEY_COLUMNS, knownKey, type KnownKey, type StoredKey } from './key-holder.ts';
import { hashOf, isWellFormed, KEY_PREFIX } from './key-text.ts';
import { KEY_CHANGED_TOPIC } from './models.ts';

const BY_HASH = `SELECT ${KEY_COLUMNS.join(', ')} FROM api_keys_keys WHERE hash = ? OR previous_hash = ?`;
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
  readonly #keys;

  constructor(deps: KeyVerifierDeps) {
    this.#deps = deps;
    this.#read = deps.database.read<StoredKey>(BY_HASH);
    this.#keys = deps.invalidation.cache<KnownKey>({
      topics: [KEY_CHANGED_TOPIC],
      drops: 'key',
      maxSize: MAX_KEYS,
    });
  }

  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined> {
    const key = keyIn(source);
    if (key === undefined) return undefined;
    if (!isWellFormed(key)) throw invalidKey();
    const hash = hashOf(key);
    const known = this.#keys.get(hash, () => this.#load(hash));
    return known instanceof Promise
      ? known.then((found) => this.#holderOf(found, source))
      : this.#holderOf(known, source);
  }

  /** Throws for an unknown key instead of caching it, so that invented keys cannot evict real ones. */
  async #load(hash: string): Promise<KnownKey> {
    const row = await this.#read.first(hash, hash);
    if (!row) throw invalidKey();
    return knownKey(row, hash);
  }

  #holderOf(key: KnownKey, source: CredentialSource): UserPrincipal | Promise<UserPrincipal> {
    if (key.expiresAt <= this.#deps.clock.now()) throw invalidKey();
    const account = this.#deps.accounts.find(key.userId);
    return account instanceof Promise
      ? account.then((found) => this.#principal(key, found, source))
      : this.#principal(key, account, source);
  }

  #principal(key: KnownKey, account: Account | undefined, { ip }: CredentialSource): UserPrincipal {
    const principal = holderOf(key, account, ip);
    this.#deps.uses.note(key.id);
    return principal;
  }
}

/** The API key of a request; `undefined` leaves credentials of another form to other verifiers. */
function keyIn(source: CredentialSource): string | undefined {
  const sent = source.header('x-api-key') ?? source.bearer;
  return sent?.startsWith(KEY_PREFIX) ? sent : undefined;
}

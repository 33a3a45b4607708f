import { LRUCache } from 'lru-cache';
import {
  DAY_MS,
  isoTime,
  token,
  type Clock,
  type Database,
  type Logger,
  type PreparedRead,
  type Vault,
} from '../../core/index.ts';
import { addressGroup } from './address-group.ts';
import { KnownAddressRow } from './models.ts';

const PURPOSE = 'users:known-address';
/** An address stays known for this time after the last sign-in from it. */
const KNOWN_MS = 30 * DAY_MS;
const MAX_CACHED = 10_000;

export interface KnownAddressesDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Stores from which addresses each account signed in lately, so that wrong passwords from elsewhere cannot lock its owner
 * out, on any instance. Stores keyed digests only. Accounts are named by their `uniqueKey`.
 */
export class KnownAddresses {
  readonly #deps: KnownAddressesDeps;
  readonly #read: PreparedRead<{ id: string }>;
  /** Those that were stored within the last day, which need not be stored again. */
  readonly #fresh = new LRUCache<string, number>({ maxSize: MAX_CACHED, sizeCalculation: () => 1 });

  constructor(deps: KnownAddressesDeps) {
    this.#deps = deps;
    this.#read = deps.database.read('select id from users_known_addresses where id = ? and used_at > ?');
  }

  async has(account: string, address: string): Promise<boolean> {
    const since = isoTime(this.#deps.clock.now() - KNOWN_MS);
    return (await this.#read.first(this.#idOf(account, address), since)) !== undefined;
  }

  /** A failure is only logged, since the sign-in itself succeeded. */
  async add(account: string, address: string): Promise<void> {
    const { database, clock, logger } = this.#deps;
    const id = this.#idOf(account, address);
    const now = clock.now();
    if ((this.#fresh.get(id) ?? -Infinity) > now - DAY_MS) return;
    try {
      await KnownAddressRow.query(database.knex)
        .insert({ id, used_at: isoTime(now) })
        .onConflict('id')
        .merge();
      this.#fresh.set(id, now);
    } catch (error) {
      logger.warn({ err: error }, 'The address of a sign-in could not be stored.');
    }
  }

  async deleteOld(): Promise<void> {
    const since = isoTime(this.#deps.clock.now() - KNOWN_MS);
    await KnownAddressRow.query(this.#deps.database.knex).where('used_at', '<=', since).delete();
  }

  #idOf(account: string, address: string): string {
    return this.#deps.vault.digest(PURPOSE, `${addressGroup(address)} ${account}`);
  }
}

export const KNOWN_ADDRESSES = token<KnownAddresses>('users:known-addresses');

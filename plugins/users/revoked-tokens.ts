import { LRUCache } from 'lru-cache';
import {
  isoTime,
  token,
  type Clock,
  type Database,
  type PreparedRead,
  type Invalidation,
} from '../../core/index.ts';
import { RevokedTokenRow } from './models.ts';

const TOPIC = 'users:token-revoked';
const MAX_CACHED = 10_000;
/** No token lives longer than a day; an hour more covers clocks that differ. */
const LONGEST_LIFE_MS = 25 * 60 * 60 * 1000;

/** Tokens that were ended by signing out, until they would have expired anyway. */
export class RevokedTokens {
  readonly #database: Database;
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #read: PreparedRead<{ jti: string }>;
  readonly #revoked: LRUCache<string, boolean>;

  constructor(database: Database, invalidation: Invalidation, clock: Clock) {
    this.#database = database;
    this.#invalidation = invalidation;
    this.#clock = clock;
    this.#read = database.read('select jti from users_revoked_tokens where jti = ?');
    this.#revoked = new LRUCache<string, boolean>({
      max: MAX_CACHED,
      fetchMethod: async (jti) => (await this.#read.first(jti)) !== undefined,
      // A change during a read ends only the caching of its result; the request that waits for it still gets it.
      ignoreFetchAbort: true,
    });
    invalidation.subscribe(TOPIC, (jti) => {
      if (jti === undefined) this.#revoked.clear();
      else this.#revoked.delete(jti);
    });
  }

  has(jti: string): boolean | Promise<boolean> {
    return this.#revoked.get(jti) ?? this.#revoked.forceFetch(jti);
  }

  /** Ends a token here at once and elsewhere within 2 s. */
  async add(jti: string, userId: string): Promise<void> {
    const expires_at = isoTime(this.#clock.now() + LONGEST_LIFE_MS);
    const row = { jti, user_id: userId, expires_at };
    await this.#database.transaction(async (trx) => {
      await RevokedTokenRow.query(trx).insert(row).onConflict('jti').ignore();
      this.#invalidation.publish(trx, TOPIC, jti);
    });
  }

  /** Deletes those that would have expired by now. */
  async deleteExpired(): Promise<void> {
    const now = isoTime(this.#clock.now());
    await RevokedTokenRow.query(this.#database.knex).where('expires_at', '<', now).delete();
  }
}

export const REVOKED_TOKENS = token<RevokedTokens>('users:revoked-tokens');

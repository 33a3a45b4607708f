import {
  isoTime,
  token,
  type Clock,
  type Database,
  type PreparedRead,
  type Invalidation,
  type Transaction,
} from '../../core/index.ts';
import type { CredentialUses } from './contract.ts';
import { RevokedTokenRow, SessionRow } from './models.ts';

const TOPIC = 'users:token-revoked';
const MAX_CACHED = 10_000;
/** Tokens live for a day at most; one more hour allows for differences between clocks. */
const LONGEST_LIFE_MS = 25 * 60 * 60 * 1000;

export interface RevokedTokensDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly uses: CredentialUses;
  readonly clock: Clock;
}

/** Stores tokens that were ended by signing out, until they expire. */
export class RevokedTokens {
  readonly #deps: RevokedTokensDeps;
  readonly #read: PreparedRead<{ jti: string }>;
  readonly #revoked;

  constructor(deps: RevokedTokensDeps) {
    this.#deps = deps;
    const { database, invalidation } = deps;
    this.#read = database.read('select jti from users_revoked_tokens where jti = ?');
    this.#revoked = invalidation.cache<boolean>({ topics: [TOPIC], drops: 'key', maxSize: MAX_CACHED });
  }

  has(jti: string): boolean | Promise<boolean> {
    return this.#revoked.get(jti, async () => (await this.#read.first(jti)) !== undefined);
  }

  /** Revokes a token, on other instances within 2 s, and takes its session from the list. */
  async add(
    jti: string,
    userId: string,
    alongside: (trx: Transaction) => Promise<void> = async () => {},
  ): Promise<void> {
    const { database, invalidation, clock } = this.#deps;
    const expires_at = isoTime(clock.now() + LONGEST_LIFE_MS);
    const row = { jti, user_id: userId, expires_at };
    await database.transaction(async (trx) => {
      await RevokedTokenRow.query(trx).insert(row).onConflict('jti').ignore();
      await SessionRow.query(trx).deleteById(jti);
      await alongside(trx);
      invalidation.publish(trx, TOPIC, jti);
    });
  }

  /** Deletes tokens that have expired, and when they were last used. */
  async deleteExpired(): Promise<void> {
    const { database, uses, clock } = this.#deps;
    const now = isoTime(clock.now());
    await database.transaction(async (trx) => {
      const old = () => RevokedTokenRow.query(trx).where('expires_at', '<', now);
      const expired = await old().select('jti');
      await uses.forget(
        trx,
        expired.map(({ jti }) => jti),
      );
      await old().delete();
    });
  }
}

export const REVOKED_TOKENS = token<RevokedTokens>('users:revoked-tokens');

import { token, type Database, type Logger, type ServiceOf, type TOKEN_ISSUER } from '../../core/index.ts';
import { TokenKeyRow } from './models.ts';

/** The one row. */
const NEWEST = 'newest';

const OTHER_KEY =
  'Bearer tokens are signed with another key than that of the instance that last started on this database. Give all ' +
  'instances the same JWT_SECRET (or JWT_PRIVATE_KEY); if it was changed on purpose, everyone has to sign in again.';

export interface TokenKeyDeps {
  readonly database: Database;
  readonly issuer: ServiceOf<typeof TOKEN_ISSUER>;
  readonly logger: Logger;
}

/** Notices at the start that instances on one database sign tokens with different keys, and refuse those of each other. */
export class TokenKey {
  readonly #deps: TokenKeyDeps;
  #differs = false;

  constructor(deps: TokenKeyDeps) {
    this.#deps = deps;
  }

  /** Compares the key with that of the last start, and stores its digest. */
  async compare(): Promise<void> {
    const { database, issuer, logger } = this.#deps;
    const row = { id: NEWEST, digest: issuer.keyDigest };
    const last = await TokenKeyRow.query(database.knex).findById(NEWEST);
    this.#differs = last !== undefined && last.digest !== row.digest;
    if (this.#differs) logger.warn({}, OTHER_KEY);
    await TokenKeyRow.query(database.knex).insert(row).onConflict('id').merge();
  }

  /** The sentence for the terminal; `undefined` while the key is that of the last start. */
  note(): string | undefined {
    return this.#differs ? OTHER_KEY : undefined;
  }
}

export const TOKEN_KEY = token<TokenKey>('users:token-key');

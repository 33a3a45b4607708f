import { isId, type Clock, type Database, type UserPrincipal } from '../../core/index.ts';
import type { Accounts } from '../users/contract.ts';
import type { KeyOwners } from './contract.ts';
import { holderOf, invalidKey, knownKey } from './key-holder.ts';
import { KeyRow } from './models.ts';

export interface StoredKeysDeps {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly clock: Clock;
}

/** Finds keys by their ids, for plugins that have no secret of them. */
export class StoredKeys implements KeyOwners {
  readonly #deps: StoredKeysDeps;

  constructor(deps: StoredKeysDeps) {
    this.#deps = deps;
  }

  async ownerOf(keyId: string): Promise<string | undefined> {
    return (await this.#row(keyId))?.user_id;
  }

  async principalOf(keyId: string, address: string): Promise<UserPrincipal | undefined> {
    const { accounts, clock } = this.#deps;
    const row = await this.#row(keyId);
    if (!row) return undefined;
    const key = knownKey(row);
    if (key.expiresAt <= clock.now()) throw invalidKey();
    return holderOf(key, await accounts.find(key.userId), address);
  }

  async #row(keyId: string): Promise<KeyRow | undefined> {
    return isId(keyId) ? KeyRow.query(this.#deps.database.knex).findById(keyId) : undefined;
  }
}

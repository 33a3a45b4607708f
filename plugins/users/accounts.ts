import type { Database } from '../../core/index.ts';
import type { AccountCache } from './account-cache.ts';
import { uniqueKey } from './account-rules.ts';
import { findLocked } from './administration.ts';
import type { Account, Accounts } from './contract.ts';
import { UserRow } from './models.ts';
import type { Registration } from './registration.ts';
import type { User } from './schemas.ts';

export interface AccountsDeps {
  readonly database: Database;
  readonly cache: AccountCache;
  readonly registration: Registration;
}

/** Makes the accounts service for other plugins. Finds by id use the cache, other finds the database. */
export function createAccounts({ database, cache, registration }: AccountsDeps): Accounts {
  const findOne = async (key: Partial<UserRow>): Promise<Account | undefined> => {
    const row = await UserRow.query(database.knex).findOne(key);
    return row && accountOf(row);
  };
  return {
    find: (id) => cache.find(id),
    hold: async (trx, id) => {
      const row = await findLocked(trx, id);
      return row && accountOf(row);
    },
    findByName: (username) => findOne({ username_key: uniqueKey(username) }),
    findByEmail: (email) => findOne({ email_key: uniqueKey(email) }),
    create: async (account, by = { kind: 'plugin' }, alongside) =>
      accountOf(await registration.createWithoutPassword(account, by, alongside)),
  };
}

/** Nothing here finds a deleted account, which has neither a name nor an address. */
function accountOf({ id, username, email, role, status }: User): Account {
  return { id, username, email, role, status: status === 'active' ? 'active' : 'disabled' };
}

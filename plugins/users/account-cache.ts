import { LRUCache } from 'lru-cache';
import { token, type Database, type PreparedRead, type Invalidation } from '../../core/index.ts';
import { ACCOUNT_CHANGED_TOPIC, type Account, type Accounts } from './contract.ts';

/** An account and which of its tokens have ended. */
export interface KnownAccount {
  readonly account: Account;
  /** Tokens whose `jti` is not later than this id have ended. */
  readonly tokensAfter: string;
}

type Row = Account & { readonly tokens_after: string };

const BY_ID = 'select id, username, email, role, status, tokens_after from users_users where id = ?';
const MAX_ACCOUNTS = 10_000;

/** Caches accounts for the path of every request until they change. */
export class AccountCache implements Pick<Accounts, 'find'> {
  readonly #read: PreparedRead<Row>;
  /** False stands for an id that no account has. */
  readonly #accounts: LRUCache<string, KnownAccount | false>;

  constructor(database: Database, invalidation: Invalidation) {
    this.#read = database.read<Row>(BY_ID);
    this.#accounts = new LRUCache<string, KnownAccount | false>({
      max: MAX_ACCOUNTS,
      fetchMethod: (id) => this.#load(id),
      // A change during a read ends only the caching of its result; the request that waits for it still gets it.
      ignoreFetchAbort: true,
    });
    invalidation.subscribe(ACCOUNT_CHANGED_TOPIC, (id) => {
      if (id === undefined) this.#accounts.clear();
      else this.#accounts.delete(id);
    });
  }

  find(id: string): Account | undefined | Promise<Account | undefined> {
    const known = this.known(id);
    return known instanceof Promise ? known.then(accountOf) : accountOf(known);
  }

  /** The same with what tokens need to be checked; false for an id that no account has. */
  known(id: string): KnownAccount | false | Promise<KnownAccount | false> {
    return this.#accounts.get(id) ?? this.#accounts.forceFetch(id);
  }

  async #load(id: string): Promise<KnownAccount | false> {
    const row = await this.#read.first(id);
    if (!row) return false;
    const { tokens_after: tokensAfter, ...account } = row;
    return { account, tokensAfter };
  }
}

function accountOf(known: KnownAccount | false): Account | undefined {
  return known ? known.account : undefined;
}

export const ACCOUNT_CACHE = token<AccountCache>('users:account-cache');

import { LRUCache } from 'lru-cache';
import { token, type Database, type PreparedRead, type Invalidation } from '../../core/index.ts';
import { ACCOUNT_CHANGED_TOPIC, type Account, type Accounts } from './contract.ts';

/** An account, and which of its tokens have ended. */
export interface KnownAccount {
  readonly account: Account;
  /** Tokens whose `jti` is not later than this id have ended. */
  readonly tokensAfter: string;
}

type Row = Account & { readonly tokens_after: string };

const BY_ID =
  "select id, username, email, role, status, tokens_after from users_users where id = ? and status <> 'deleted'";
const MAX_ACCOUNTS = 10_000;

/** Caches accounts until they change, since every request reads one. */
export class AccountCache implements Pick<Accounts, 'find'> {
  readonly #read: PreparedRead<Row>;
  /** The value is false for an id without an account. */
  readonly #accounts: LRUCache<string, KnownAccount | false>;

  constructor(database: Database, invalidation: Invalidation) {
    this.#read = database.read<Row>(BY_ID);
    this.#accounts = new LRUCache<string, KnownAccount | false>({
      maxSize: MAX_ACCOUNTS,
      sizeCalculation: () => 1,
      fetchMethod: (id) => this.#load(id),
      // An invalidation during a read only keeps its result out of the cache; waiting requests still get the result.
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

  /** An account with the end of its tokens; false for an id without an account. */
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

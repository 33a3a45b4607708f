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
  readonly #accounts;

  constructor(database: Database, invalidation: Invalidation) {
    this.#read = database.read<Row>(BY_ID);
    this.#accounts = invalidation.cache<KnownAccount | undefined>({
      topics: [ACCOUNT_CHANGED_TOPIC],
      drops: 'key',
      maxSize: MAX_ACCOUNTS,
    });
  }

  find(id: string): Account | undefined | Promise<Account | undefined> {
    const known = this.known(id);
    return known instanceof Promise ? known.then(accountOf) : accountOf(known);
  }

  /** An account with the end of its tokens. */
  known(id: string): KnownAccount | undefined | Promise<KnownAccount | undefined> {
    return this.#accounts.get(id, () => this.#load(id));
  }

  async #load(id: string): Promise<KnownAccount | undefined> {
    const row = await this.#read.first(id);
    if (!row) return undefined;
    const { tokens_after: tokensAfter, ...account } = row;
    return { account, tokensAfter };
  }
}

function accountOf(known: KnownAccount | undefined): Account | undefined {
  return known?.account;
}

export const ACCOUNT_CACHE = token<AccountCache>('users:account-cache');

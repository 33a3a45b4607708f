import { Remembered, token, type Database, type PreparedRead, type Signals } from '../../core/index.ts';
import { ACCOUNT_CHANGED_TOPIC, type Account, type Accounts } from './contract.ts';

/** An account and which of its tokens have ended. */
export interface KnownAccount {
  readonly account: Account;
  /** Tokens whose `jti` is not later than this id have ended. */
  readonly tokensAfter: string;
}

type Row = Account & { readonly tokens_after: string };

const BY_ID = 'select id, username, email, role, status, tokens_after from users_users where id = ?';
const MOST_ACCOUNTS = 10_000;

/** Remembers accounts for the path of every request, and forgets one when the signal of its change arrives. */
export class AccountMemory implements Accounts {
  readonly #read: PreparedRead<Row>;
  readonly #known = new Remembered<KnownAccount | undefined>({ limit: MOST_ACCOUNTS });

  constructor(database: Database, signals: Signals) {
    this.#read = database.read<Row>(BY_ID);
    signals.subscribe(ACCOUNT_CHANGED_TOPIC, (id) => this.#known.forget(id));
  }

  find(id: string): Account | undefined | Promise<Account | undefined> {
    const known = this.known(id);
    return known instanceof Promise ? known.then((found) => found?.account) : known?.account;
  }

  /** The same with what tokens need to be checked. */
  known(id: string): KnownAccount | undefined | Promise<KnownAccount | undefined> {
    return this.#known.get(id, id, async () => {
      const row = await this.#read.first(id);
      if (!row) return undefined;
      const { tokens_after: tokensAfter, ...account } = row;
      return { account, tokensAfter };
    });
  }
}

export const ACCOUNT_MEMORY = token<AccountMemory>('users:account-memory');

import { token, type Audit, type Author, type Logger, type Transaction } from '../../core/index.ts';
import type { Client } from './client.ts';
import type { User } from './schemas.ts';

/** Characters of the name that was tried in the log. */
const LONGEST_NAME = 200;

type Verb =
  | 'create'
  | 'update'
  | 'delete'
  | 'delete_records'
  | 'change_password'
  | 'reset_password'
  | 'make_link'
  | 'request_reset'
  | 'sign_in'
  | 'sign_out'
  | 'sign_out_everywhere';

/** An account as the audit trail keeps it. */
export function audited({ username, email, role, status }: User): object {
  return { username, email, role, status };
}

/** Tells the audit trail and the log what happens to accounts. */
export class AccountTrail {
  readonly #audit: Audit;
  readonly #logger: Logger;

  constructor({ audit, logger }: { readonly audit: Audit; readonly logger: Logger }) {
    this.#audit = audit;
    this.#logger = logger;
  }

  /** In the transaction of the change, where it has one; `outcome` is a success unless it says otherwise. */
  async record(
    trx: Transaction | undefined,
    by: Author,
    verb: Verb,
    { id, username: name }: { readonly id?: string | undefined; readonly username?: string | undefined },
    more: Partial<Pick<Parameters<Audit['record']>[2], 'before' | 'after' | 'outcome'>> = {},
  ): Promise<void> {
    const target = { kind: 'account', id, name };
    await this.#audit.record(trx, by, { action: `account.${verb}`, target, ...more });
  }

  /** `means` says how the account was authenticated, where it was not by a password. */
  async signedIn(
    { id, username }: User,
    credential_id: string,
    { address, requestId }: Client,
    means?: object,
  ): Promise<void> {
    const from = { address, request_id: requestId };
    const by = { kind: 'user', user_id: id, name: username, credential_id, ...from } as const;
    await this.record(undefined, by, 'sign_in', { id, username }, means && { after: means });
  }

  /** `tried` is the name as it was sent, whether or not an account has it. fail2ban reads the line (docs/deployment.md). */
  async signInFailed(tried: string, { address, requestId: request_id }: Client): Promise<void> {
    this.#logger.warn({ address, account: tried.slice(0, LONGEST_NAME), request_id }, 'A sign-in failed.');
    await this.#audit.record(
      undefined,
      { kind: 'anonymous', address, request_id },
      {
        action: 'account.sign_in',
        target: { kind: 'account', name: tried },
        outcome: 'failure',
      },
    );
  }
}

export const ACCOUNT_TRAIL = token<AccountTrail>('users:account-trail');

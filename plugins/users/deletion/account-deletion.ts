import {
  DAY_MS,
  isId,
  isoTime,
  token,
  type Author,
  type Clock,
  type Database,
  type EventBus,
  type Invalidation,
  type Transaction,
  type UserPrincipal,
} from '../../../core/index.ts';
import { audited, type AccountTrail } from '../account-trail.ts';
import { lockAdministrators, refuseLast } from '../administrators.ts';
import {
  ACCOUNT_CHANGED_TOPIC,
  userDeleted,
  type AccountBelongings,
  type CredentialUses,
  type SignedIn,
  type StandingCredentials,
} from '../contract.ts';
import type { OneTimeLinks } from '../links/one-time-links.ts';
import { NO_PASSWORD, RecordsToDeleteRow, RevokedTokenRow, SessionRow, UserRow } from '../models.ts';
import { UserNotFound } from '../problems.ts';
import type { SignIn } from '../sign-in.ts';
import { endOfTokens } from '../token-ids.ts';

/** For this time after the deletion, running calls may end and records in the spool may be stored. */
const LATE_RECORDS_MS = DAY_MS;

/** What becomes of the records of a deleted account. */
export type RecordsChoice = 'keep' | 'delete';

export interface AccountDeletionDeps {
  readonly database: Database;
  readonly signIn: SignIn;
  readonly signedIn: SignedIn;
  readonly links: OneTimeLinks;
  readonly uses: CredentialUses;
  readonly standing: readonly StandingCredentials[];
  readonly belongings: readonly AccountBelongings[];
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly trail: AccountTrail;
}

/** Deletes accounts: what gives access goes at once; records stay under a name that says so, or go by a job. */
export class AccountDeletion {
  readonly #deps: AccountDeletionDeps;

  constructor(deps: AccountDeletionDeps) {
    this.#deps = deps;
  }

  /**
   * Deletes an account. For one that is deleted already it may still ask for the records to go. Throws `UserNotFound`,
   * `LastAdministrator`, and `Forbidden` when the caller is no longer an administrator.
   */
  async remove(id: string, records: RecordsChoice, author: Author, by?: UserPrincipal): Promise<void> {
    await this.#removed(
      async (trx) => {
        const administrators = await lockAdministrators(trx, by);
        const row = isId(id) ? await UserRow.query(trx).findById(id).forUpdate() : undefined;
        const isKnown = row && (row.status !== 'deleted' || records === 'delete');
        if (!isKnown) throw UserNotFound(`No account has the id "${id}".`);
        return { administrators, row };
      },
      records,
      author,
    );
  }

  /** Deletes the account of the caller. Throws `WrongPassword`, `TooManyAttempts` and `LastAdministrator`. */
  async removeOwn(
    principal: UserPrincipal,
    password: string,
    records: RecordsChoice,
    author: Author,
  ): Promise<void> {
    const { signIn, signedIn } = this.#deps;
    await signIn.confirm(principal, password, { by: author, verb: 'delete' });
    await this.#removed(
      async (trx) => {
        const administrators = await lockAdministrators(trx, undefined);
        await signedIn.hold(trx, principal);
        return { administrators, row: await UserRow.query(trx).findById(principal.userId).throwIfNotFound() };
      },
      records,
      author,
    );
  }

  /** Deletes the records of deleted accounts for which that was asked, until the signal aborts. */
  async deleteRecords(signal: AbortSignal): Promise<void> {
    const { database, belongings, clock } = this.#deps;
    const waiting = await RecordsToDeleteRow.query(database.knex).orderBy('since');
    for (const { user_id, since } of waiting) {
      for (const each of belongings) {
        if (signal.aborted) return;
        await each.deleteRecords?.(user_id, signal);
      }
      const isSettled = Date.parse(since) + LATE_RECORDS_MS < clock.now();
      if (isSettled && !signal.aborted) await RecordsToDeleteRow.query(database.knex).deleteById(user_id);
    }
  }

  async #removed(
    find: (
      trx: Transaction,
    ) => Promise<{ readonly administrators: readonly string[]; readonly row: UserRow }>,
    records: RecordsChoice,
    author: Author,
  ): Promise<void> {
    const { database, events, trail } = this.#deps;
    const row = await database.transaction(async (trx) => {
      const { administrators, row } = await find(trx);
      refuseLast(administrators, row);
      if (records === 'delete') await this.#askForRecords(trx, row.id);
      const verb = row.status === 'deleted' ? 'delete_records' : 'delete';
      const states = { before: audited(row), after: { records } };
      await trail.record(trx, author, verb, row, states);
      if (row.status !== 'deleted') await this.#takeAll(trx, row, author);
      return row;
    });
    if (row.status !== 'deleted') events.emit(userDeleted, { user_id: row.id, username: row.username });
  }

  async #askForRecords(trx: Transaction, user_id: string): Promise<void> {
    const since = isoTime(this.#deps.clock.now());
    await RecordsToDeleteRow.query(trx).insert({ user_id, since }).onConflict('user_id').ignore();
  }

  async #takeAll(trx: Transaction, row: UserRow, by: Author): Promise<void> {
    const { links, uses, standing, belongings, invalidation, clock } = this.#deps;
    const { id } = row;
    for (const credentials of standing) await credentials.endAll(trx, id, by);
    for (const each of belongings) await each.takeBack?.(trx, id);
    const sessions = await SessionRow.query(trx).where('user_id', id).select('id');
    const revoked = await RevokedTokenRow.query(trx).where('user_id', id).select('jti');
    await uses.forget(trx, [...sessions.map((session) => session.id), ...revoked.map(({ jti }) => jti)]);
    await SessionRow.query(trx).where('user_id', id).delete();
    await RevokedTokenRow.query(trx).where('user_id', id).delete();
    await links.deleteAll(trx, id);
    await UserRow.query(trx)
      .findById(id)
      .patch(remainsOf(row, isoTime(clock.now())));
    invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
  }
}

/** What stays of a deleted account. Its name has a space and its address is empty, so that nobody else can have them. */
function remainsOf(row: UserRow, updated_at: string): Partial<UserRow> {
  return {
    username: `deleted user ${row.id.slice(-12)}`,
    username_key: `deleted user ${row.id}`,
    email: '',
    email_key: `deleted user ${row.id}`,
    password_hash: NO_PASSWORD,
    role: 'user',
    status: 'deleted',
    tokens_after: endOfTokens(row),
    updated_at,
  };
}

export const ACCOUNT_DELETION = token<AccountDeletion>('users:account-deletion');

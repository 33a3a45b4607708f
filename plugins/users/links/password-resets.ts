import {
  Bulkhead,
  isoTime,
  token,
  ValidationFailed,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Logger,
  type Transaction,
} from '../../../core/index.ts';
import { lockedAccount } from '../administration.ts';
import type { AccountTrail } from '../account-trail.ts';
import { passwordError, uniqueKey } from '../account-rules.ts';
import { ACCOUNT_CHANGED_TOPIC, type StandingCredentials } from '../contract.ts';
import type { KnownAddresses } from '../known-addresses.ts';
import { guessing, LoginThrottle } from '../login-throttle.ts';
import type { Mailer } from '../mail/mailer.ts';
import { NO_PASSWORD, UserRow } from '../models.ts';
import type { Passwords } from '../passwords.ts';
import { AccountDisabled, ResetUnavailable } from '../problems.ts';
import { refuseWellKnown } from '../registration.ts';
import type { ChosenPassword } from '../schemas.ts';
import { endOfTokens } from '../token-ids.ts';
import type { AccountLinks } from './account-links.ts';
import type { OneTimeLinks } from './one-time-links.ts';

/** Mails to one account are at least this far apart, so that nobody can fill its mailbox. */
const BETWEEN_MAILS_MS = 5 * 60_000;
const MAILS_AT_ONCE = 2;
const MAILS_WAITING = 100;
const REQUEST_LIMITS = { login_failures_per_account: 5, login_failures_per_address: 30 };

export interface PasswordResetsDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly links: OneTimeLinks;
  readonly accountLinks: AccountLinks;
  readonly mailer: Mailer;
  readonly throttle: LoginThrottle;
  readonly known: KnownAddresses;
  readonly standing: readonly StandingCredentials[];
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly trail: AccountTrail;
  /** The address of the service in the settings; a mail must not take it from the request of a stranger. */
  readonly publicUrl: URL | undefined;
}

/** Lets people choose another password by a one-time link. */
export class PasswordResets {
  readonly #deps: PasswordResetsDeps;
  readonly #requests: LoginThrottle;
  readonly #mails = new Bulkhead({
    limit: MAILS_AT_ONCE,
    queueLimit: MAILS_WAITING,
    refuse: () => new Error(`${MAILS_WAITING} mails wait already.`),
  });
  readonly #pending = new Set<Promise<void>>();

  constructor(deps: PasswordResetsDeps) {
    this.#deps = deps;
    this.#requests = new LoginThrottle(deps.clock, REQUEST_LIMITS, 'requests for a link');
  }

  /** Whether people can get a link by mail. */
  get isOffered(): boolean {
    return this.#deps.mailer.isSet && this.#deps.publicUrl !== undefined;
  }

  /**
   * Mails a link to an account with this address, if there is one, and tells the audit trail. Returns before the account is
   * even sought, so that neither the answer nor its time tells whether there is one. Throws `ResetUnavailable` and `TooManyAttempts`.
   */
  request(email: string, address: string, by: Author): void {
    if (!this.isOffered) {
      throw ResetUnavailable('Passwords cannot be reset by mail here. Ask an administrator for a link.');
    }
    const key = uniqueKey(email);
    this.#requests.admit(key, address);
    this.#requests.failed(key, address);
    const mailed = this.#mails
      .run(() => this.#mail(email, by))
      .catch((error: unknown) => {
        this.#deps.logger.warn({ err: error }, 'A link for a new password could not be mailed.');
      });
    this.#pending.add(mailed);
    void mailed.finally(() => this.#pending.delete(mailed));
  }

  /** Resolves when the mails that were asked for so far are sent or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /**
   * Sets the password of the account of a link, and ends its tokens and other links, and on request its API keys. Returns
   * its name. Throws `LinkEnded`, `AccountDisabled`, and `ValidationFailed` when the password of an administrator is well known.
   */
  async confirm(
    { token, password, revoke_api_keys }: ChosenPassword,
    address: string,
    by: Author,
  ): Promise<string> {
    const { database, passwords, links, known, standing } = this.#deps;
    const id = await links.accountOf(token);
    const { username, role } = await UserRow.query(database.knex).findById(id).throwIfNotFound();
    if (role === 'admin') refuseWellKnown({ username, password }, 'The password of an administrator');
    await this.#write(id, await passwords.hash(password), by, async (trx) => {
      await links.use(trx, token);
      if (revoke_api_keys) for (const credentials of standing) await credentials.endAll(trx, id, by);
    });
    const key = uniqueKey(username);
    // Earlier failures came from an owner who had forgotten the password, or from others.
    for (const subject of [guessing.account(key), guessing.knownAddress(key, address)]) {
      this.#deps.throttle.succeeded(subject);
    }
    await known.add(key, address);
    return username;
  }

  /**
   * Sets the password of an account for an operator, and ends its tokens and links. Throws `UserNotFound`,
   * `AccountDisabled` and `ValidationFailed`.
   */
  async set(id: string, password: string, by: Author): Promise<void> {
    const wrong = passwordError(password);
    if (wrong !== undefined) throw ValidationFailed(`The password ${wrong}.`);
    await this.#write(id, await this.#deps.passwords.hash(password), by, async () => {});
  }

  async #write(
    id: string,
    password_hash: string,
    by: Author,
    alongside: (trx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { database, links, invalidation, clock, trail } = this.#deps;
    await database.transaction(async (trx) => {
      const row = await lockedAccount(trx, id);
      if (row.status === 'disabled') {
        throw AccountDisabled('The account is disabled. An administrator can make it active first.');
      }
      await alongside(trx);
      await links.endAll(trx, id);
      const updated_at = isoTime(clock.now());
      await row.$query(trx).patch({ password_hash, tokens_after: endOfTokens(row), updated_at });
      await trail.record(trx, by, 'reset_password', row);
      invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
    });
  }

  async #mail(email: string, by: Author): Promise<void> {
    const { database, accountLinks, clock, trail } = this.#deps;
    const row = await UserRow.query(database.knex).findOne({ email_key: uniqueKey(email) });
    // An account without a password signs in elsewhere, or was invited: only an administrator may give it one.
    if (row?.status !== 'active' || row.password_hash === NO_PASSWORD) {
      const { id, username } = row ?? { username: email };
      await trail.record(undefined, by, 'request_reset', { id, username }, { outcome: 'failure' });
      return;
    }
    await accountLinks.mailReset(row, clock.now() - BETWEEN_MAILS_MS, by);
  }
}

export const PASSWORD_RESETS = token<PasswordResets>('users:password-resets');

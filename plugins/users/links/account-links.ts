import {
  token,
  type Author,
  type Database,
  type Logger,
  type Transaction,
  type UserPrincipal,
} from '../../../core/index.ts';
import type { AccountTrail } from '../account-trail.ts';
import { lockedAccount, refuseKey } from '../administration.ts';
import { lockAdministrators } from '../administrators.ts';
import type { UsersSettings } from '../config.ts';
import type { Mailer } from '../mail/mailer.ts';
import { linkMail } from '../mail/texts.ts';
import type { LinkKind } from '../models.ts';
import { AccountDisabled } from '../problems.ts';
import type { Registration } from '../registration.ts';
import type { CreatedUser, NewUser, OneTimeLink, User } from '../schemas.ts';
import type { NewLink, OneTimeLinks } from './one-time-links.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

export interface AccountLinksDeps {
  readonly database: Database;
  readonly registration: Registration;
  readonly links: OneTimeLinks;
  readonly mailer: Mailer;
  /** Where the pages of the service are: the address of the settings, and their path. */
  readonly api: { readonly publicUrl: URL | undefined; readonly rootPath: string };
  readonly settings: Pick<UsersSettings, 'invitation_days' | 'reset_link_minutes'>;
  readonly logger: Logger;
  readonly trail: AccountTrail;
}

/** Who asks for a link, and at which address they reach the service; there is neither account nor address on the command line. */
export interface Asking {
  readonly by?: UserPrincipal;
  readonly author: Author;
  readonly publicUrl?: URL;
}

/** Makes one-time links, to be handed over; also mails them where a mail server is set. */
export class AccountLinks {
  readonly #deps: AccountLinksDeps;

  constructor(deps: AccountLinksDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an account with a password, or else with an invitation. Throws `UsernameTaken`, `EmailTaken`, `ValidationFailed`,
   * and `Forbidden` when the caller is no longer an administrator.
   */
  async create({ password, ...account }: NewUser, asking: Asking): Promise<CreatedUser> {
    const { registration, links } = this.#deps;
    const stillMay = async (trx: Transaction): Promise<void> => {
      if (asking.by) await lockAdministrators(trx, asking.by);
    };
    if (password !== undefined) {
      return {
        ...(await registration.create({ ...account, password }, asking.author, stillMay)),
        invitation: null,
      };
    }
    let made: NewLink | undefined;
    const user = await registration.createWithoutPassword(account, asking.author, async (trx, id) => {
      await stillMay(trx);
      made = await links.issue(trx, id, 'invitation', this.#lifetimeOf('invitation'));
    });
    return { ...user, invitation: await this.#handOver('invitation', user, made!, asking) };
  }

  /**
   * Makes a link with which the owner of an account chooses another password; earlier ones end. Throws `UserNotFound`,
   * `AccountDisabled`, and `Forbidden` for API keys and for one who is no longer an administrator.
   */
  async reset(id: string, asking: Asking): Promise<OneTimeLink> {
    const { database, links, trail } = this.#deps;
    const { by, author } = asking;
    if (by) refuseKey(by);
    const { user, made } = await database.transaction(async (trx) => {
      if (by) await lockAdministrators(trx, by);
      const user = await lockedAccount(trx, id);
      if (user.status === 'disabled') {
        throw AccountDisabled(`The account "${user.username}" is disabled. Make it active first.`);
      }
      await links.endAll(trx, id);
      await trail.record(trx, author, 'make_link', user);
      return { user, made: await links.issue(trx, id, 'reset', this.#lifetimeOf('reset')) };
    });
    return this.#handOver('reset', user, made, asking);
  }

  /** Mails a link for a new password, unless the account got one since a moment. Throws what the mailer throws. */
  async mailReset(user: User, since: number, by: Author): Promise<void> {
    const { database, links, mailer, trail } = this.#deps;
    const made = await database.transaction(async (trx) => {
      await lockedAccount(trx, user.id);
      await trail.record(trx, by, 'request_reset', user);
      if (await links.wasResetSince(trx, user.id, since)) return undefined;
      return links.issue(trx, user.id, 'reset', this.#lifetimeOf('reset'));
    });
    if (!made) return;
    try {
      await mailer.send(linkMail('reset', { ...user, ...made, url: this.#urlOf(made.token, undefined) }));
    } catch (error) {
      await links.withdraw(made.token);
      throw error;
    }
  }

  async #handOver(kind: LinkKind, user: User, made: NewLink, { publicUrl }: Asking): Promise<OneTimeLink> {
    const { mailer, logger } = this.#deps;
    const link = { url: this.#urlOf(made.token, publicUrl), expires_at: made.expires_at };
    if (!mailer.isSet) return { ...link, mail: 'off', mail_error: null };
    try {
      await mailer.send(linkMail(kind, { ...user, ...link }));
      return { ...link, mail: 'sent', mail_error: null };
    } catch (error) {
      logger.warn({ err: error, user_id: user.id }, 'A one-time link could not be mailed.');
      return { ...link, mail: 'failed', mail_error: (error as Error).message };
    }
  }

  /** The token is a fragment, which no browser sends: it is in no log of a server or proxy. */
  #urlOf(token: string, seenAs: URL | undefined): string {
    const { publicUrl = seenAs, rootPath } = this.#deps.api;
    const page = `reset#token=${token}`;
    return publicUrl ? new URL(page, publicUrl).href : `${rootPath}/${page}`;
  }

  #lifetimeOf(kind: LinkKind): number {
    const { invitation_days, reset_link_minutes } = this.#deps.settings;
    return (kind === 'reset' ? reset_link_minutes : invitation_days * DAY_MINUTES) * MINUTE_MS;
  }
}

export const ACCOUNT_LINKS = token<AccountLinks>('users:account-links');

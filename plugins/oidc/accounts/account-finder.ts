import { newId, Problem, token, UniqueViolation, type Author, type Database } from '../../../core/index.ts';
import type { Account, Accounts } from '../../users/contract.ts';
import type { LinkRow } from '../models.ts';
import { SignInRefused } from '../problems.ts';
import type { Provider } from '../provider/provider.ts';
import type { Identity } from './identity.ts';
import type { Links } from './links.ts';
import { freeUsername } from './usernames.ts';

/** The account of a sign-in, which was found or made. */
export interface FoundAccount {
  readonly account: Account;
  readonly link: LinkRow;
  readonly isNew: boolean;
}

export interface AccountFinderDeps {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly links: Links;
}

/** A person whom a provider has authenticated. */
interface Known {
  readonly provider: Provider;
  /** As the metadata of the provider has it. */
  readonly issuer: string;
  readonly identity: Identity;
  readonly by: Author;
}

/** Finds the account of a person whom a provider has authenticated, or makes one where the settings say so. */
export class AccountFinder {
  readonly #deps: AccountFinderDeps;

  constructor(deps: AccountFinderDeps) {
    this.#deps = deps;
  }

  /**
   * The account that is linked; or else the one with the same e-mail address, if the provider has verified it and the settings
   * allow that; or else a new one. Throws `SignInRefused` with the reason.
   */
  async find(known: Known): Promise<FoundAccount> {
    if (known.identity.subject.trim() === '') throw nameless(known);
    try {
      return await this.#find(known);
    } catch (error) {
      if (!isRace(error)) throw error;
      // Another request made the account or the link in the meantime.
      return this.#find(known);
    }
  }

  async #find(known: Known): Promise<FoundAccount> {
    const { accounts } = this.#deps;
    const linked = await this.#linked(known);
    if (linked) return active(linked);
    const { email, isEmailVerified } = known.identity;
    const sameEmail = email === undefined ? undefined : await accounts.findByEmail(email);
    if (!sameEmail) return this.#made(known);
    if (!isEmailVerified) throw unverified(known, sameEmail);
    if (!isSameMailbox(email!, sameEmail.email)) throw likeAnother(email!, sameEmail);
    if (!known.provider.settings.link_by_email) throw notByEmail(known, sameEmail);
    return active(await this.#linkTo(known, sameEmail));
  }

  async #linked({ issuer, identity, by }: Known): Promise<FoundAccount | undefined> {
    const { accounts, links } = this.#deps;
    const found = await links.find(issuer, identity.subject);
    if (!found) return undefined;
    const account = await accounts.find(found.user_id);
    const link = account && (await links.row(found.id));
    if (account && link) return { account, link, isNew: false };
    // The account was deleted while this plugin was switched off.
    await links.forget(found, by);
    return undefined;
  }

  async #linkTo(known: Known, account: Account): Promise<FoundAccount> {
    const { database, links } = this.#deps;
    active({ account });
    const link = await database.transaction((trx) =>
      links.add(trx, linkOf(known, account.id), account.username, known.by),
    );
    return { account, link, isNew: false };
  }

  async #made(known: Known): Promise<FoundAccount> {
    const { accounts, links } = this.#deps;
    const { provider, identity, by } = known;
    if (!provider.settings.create_accounts) throw unknown(known);
    const username = await freeUsername(
      identity.names,
      async (name) => (await accounts.findByName(name)) !== undefined,
    );
    const email = identity.isEmailVerified && identity.email ? identity.email : placeholder(provider);
    const made: LinkRow[] = [];
    const account = await accounts.create({ username, email }, by, async (trx, id) => {
      made.push(await links.add(trx, linkOf(known, id), username, by));
    });
    return { account, link: made[0]!, isNew: true };
  }
}

function unknown({ provider: { settings, title }, identity: { email } }: Known): Problem {
  const way = settings.link_by_email
    ? `Ask an administrator for an account with the e-mail address ${email ?? 'that the provider knows'}.`
    : 'Its settings make no accounts (create_accounts) and link none by an e-mail address (link_by_email). Ask an administrator.';
  return SignInRefused(`No account here belongs to the person whom ${title} names. ${way}`);
}

function linkOf({ provider, issuer, identity }: Known, user_id: string) {
  const { subject, email } = identity;
  return { provider: provider.id, issuer, subject, user_id, email: email ?? null };
}

/** An unverified address must not be stored: the person who verifies it later would be led to this account. */
function placeholder(provider: Provider): string {
  return `${newId()}@${provider.id}.invalid`;
}

function active<T extends { readonly account: Account }>(found: T): T {
  if (found.account.status === 'active') return found;
  throw SignInRefused(
    `The account "${found.account.username}" is disabled. Ask an administrator to make it active.`,
  );
}

/** Without a subject, all these people would share one account. */
function nameless({ provider }: Known): Error {
  return SignInRefused(
    `${provider.title} does not say whom its token is about: the claim "sub" must be a text that is not empty.`,
  );
}

/**
 * Accounts are found by the folded address, in which `ı` is `i`, and width and invisible characters do not count. Mail to
 * addresses that are folded alike may reach different people, so verifying one proves nothing about the other.
 */
function isSameMailbox(one: string, other: string): boolean {
  const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower(one) === lower(other);
}

function likeAnother(proved: string, { email }: Account): Error {
  return SignInRefused(
    `An account here has the e-mail address ${email}, which only looks like ${proved}. Have an administrator write the address of the account as the provider does, if they are the same.`,
  );
}

function unverified({ provider }: Known, { email }: Account): Error {
  return SignInRefused(
    `An account here has the e-mail address ${email}, but ${provider.title} does not say that it has verified it, so anybody could claim it. Have it verified there, or sign in with the password.`,
  );
}

function notByEmail({ provider }: Known, { email }: Account): Error {
  return SignInRefused(
    `An account here has the e-mail address ${email}, but it is not linked to ${provider.title}, and its settings do not allow that by the address alone (link_by_email). Sign in with the password.`,
  );
}

function isRace(error: unknown): boolean {
  if (error instanceof UniqueViolation) return true;
  return error instanceof Problem && ['username_taken', 'email_taken'].includes(error.code);
}

export const ACCOUNT_FINDER = token<AccountFinder>('oidc:account-finder');

import {
  Forbidden,
  isId,
  isoTime,
  newId,
  token,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type PreparedRead,
  type Transaction,
  type UserPrincipal,
} from '../../../core/index.ts';
import type { AccountBelongings, Accounts, CredentialUses, Vouching } from '../../users/contract.ts';
import { LinkRow, SessionRow } from '../models.ts';
import { LastWayIn, SignInLinkNotFound } from '../problems.ts';
import type { LinkList, LinksQuery } from '../schemas.ts';

const TOPIC = 'oidc:link';
const MAX_CACHED = 10_000;

export interface LinksDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly accounts: Accounts;
  readonly vouching: Vouching;
  readonly uses: CredentialUses;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** A link and its account. */
export type KnownLink = Pick<LinkRow, 'id' | 'user_id'>;

/** A link to be made. */
export type NewLink = Pick<LinkRow, 'provider' | 'issuer' | 'subject' | 'user_id' | 'email'>;

/** Thrown where there is no link, so that this is not cached: a first sign-in, here or on another instance, counts at once. */
class NoLink extends Error {}

/** Links people at a provider to accounts. Cached, since every request with a token of a provider reads a link. */
export class Links implements AccountBelongings {
  readonly name = 'oidc';
  readonly #deps: LinksDeps;
  readonly #read: PreparedRead<KnownLink>;
  readonly #cache;

  constructor(deps: LinksDeps) {
    this.#deps = deps;
    this.#read = deps.database.read('select id, user_id from oidc_links where issuer = ? and subject = ?');
    this.#cache = deps.invalidation.cache<KnownLink>({
      topics: [TOPIC],
      drops: 'all',
      maxSize: MAX_CACHED,
    });
  }

  /** No promise when it is cached. */
  find(issuer: string, subject: string): KnownLink | Promise<KnownLink | undefined> {
    const link = this.#cache.get(JSON.stringify([issuer, subject]), () => this.#load(issuer, subject));
    if (!(link instanceof Promise)) return link;
    return link.catch((error: unknown) => {
      if (error instanceof NoLink) return undefined;
      throw error;
    });
  }

  async #load(issuer: string, subject: string): Promise<KnownLink> {
    const link = await this.#read.first(issuer, subject);
    if (!link) throw new NoLink();
    return link;
  }

  async row(id: string): Promise<LinkRow | undefined> {
    return LinkRow.query(this.#deps.database.knex).findById(id);
  }

  /** In the transaction that makes the account, where it is new. Throws `UniqueViolation` for a person who has a link. */
  async add(trx: Transaction, link: NewLink, username: string, by: Author): Promise<LinkRow> {
    const { clock, audit, invalidation } = this.#deps;
    const created_at = isoTime(clock.now());
    const row = await LinkRow.query(trx).insert({ ...link, id: newId(), gave_admin: false, created_at });
    const target = { kind: 'account', id: link.user_id, name: username };
    await audit.record(trx, by, { action: 'account.link', target, after: told(row) });
    invalidation.publish(trx, TOPIC, row.id);
    return row;
  }

  /** A page of the links of the caller, or for administrators of the account that the query names. Throws `Forbidden`. */
  async list(principal: UserPrincipal, { user_id, skip, limit }: LinksQuery): Promise<LinkList> {
    const { database, uses } = this.#deps;
    const owner = user_id ?? principal.userId;
    if (owner !== principal.userId && principal.role !== 'admin')
      throw Forbidden('Only administrators may list the links of others.');
    const those = LinkRow.query(database.knex).where('user_id', owner);
    const total = await those.clone().resultSize();
    const page = await those.orderBy('id', 'desc').offset(skip).limit(limit);
    const last = await uses.lastOf(page.map(({ id }) => id));
    return { links: page.map((row) => ({ ...row, last_used_at: last.get(row.id) ?? null })), total };
  }

  /**
   * Removes a link; administrators those of everybody. Returns it. Throws `SignInLinkNotFound`, and `LastWayIn` when nothing
   * else would sign the account in.
   */
  async remove(principal: UserPrincipal, id: string, by: Author): Promise<LinkRow> {
    const { database, vouching } = this.#deps;
    const owned = isId(id) ? await LinkRow.query(database.knex).findById(id) : undefined;
    const { userId, role } = principal;
    if (!owned || (owned.user_id !== userId && role !== 'admin')) throw unknown(principal, id);
    return database.transaction(async (trx) => {
      // Locks the account, so that two requests cannot remove the last two links.
      const hasPassword = await vouching.hasPassword(trx, owned.user_id);
      const all = await LinkRow.query(trx).where('user_id', owned.user_id);
      const row = all.find((each) => each.id === id);
      if (!row) throw unknown(principal, id);
      if (all.length === 1 && !hasPassword)
        throw LastWayIn(
          'The account has no password, and this is its only link to a provider, so nobody could sign in to it any more. Give it a password first: an administrator makes a one-time link for one.',
        );
      await this.#delete(trx, row, by);
      return row;
    });
  }

  /** Removes a link whose account is no more. */
  async forget({ id }: KnownLink, by: Author): Promise<void> {
    await this.#deps.database.transaction(async (trx) => {
      const row = await LinkRow.query(trx).findById(id);
      if (row) await this.#delete(trx, row, by);
    });
  }

  async setGaveAdmin(id: string, gave_admin: boolean): Promise<void> {
    await LinkRow.query(this.#deps.database.knex).findById(id).patch({ gave_admin });
  }

  async takeBack(trx: Transaction, userId: string): Promise<void> {
    const { uses, invalidation } = this.#deps;
    const rows = await LinkRow.query(trx).where('user_id', userId);
    await uses.forget(
      trx,
      rows.map(({ id }) => id),
    );
    await LinkRow.query(trx).where('user_id', userId).delete();
    await SessionRow.query(trx).where('user_id', userId).delete();
    invalidation.publish(trx, TOPIC, userId);
  }

  async #delete(trx: Transaction, row: LinkRow, by: Author): Promise<void> {
    const { uses, invalidation, accounts, audit } = this.#deps;
    await LinkRow.query(trx).deleteById(row.id);
    await uses.forget(trx, [row.id]);
    const target = { kind: 'account', id: row.user_id, name: (await accounts.find(row.user_id))?.username };
    await audit.record(trx, by, { action: 'account.unlink', target, before: told(row) });
    invalidation.publish(trx, TOPIC, row.id);
  }
}

function unknown({ role }: UserPrincipal, id: string): Error {
  return SignInLinkNotFound(
    role === 'admin' ? `No link has the id "${id}".` : `You have no link with the id "${id}".`,
  );
}

/** What the audit trail tells of a link. */
function told({ provider, issuer, subject, email }: NewLink): object {
  return { provider, issuer, subject, email };
}

export const LINKS = token<Links>('oidc:links');

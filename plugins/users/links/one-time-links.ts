import { hash } from 'node:crypto';
import {
  DAY_MS,
  isoTime,
  newId,
  randomSecret,
  token,
  type Clock,
  type Database,
  type Transaction,
} from '../../../core/index.ts';
import { LinkRow, type LinkKind } from '../models.ts';
import { LinkEnded } from '../problems.ts';

const TOKEN_BYTES = 32;
/** Used and expired links are kept for this time after their end, so that an answer can say why they do not work. */
const KEPT_MS = 7 * DAY_MS;

export interface OneTimeLinksDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** A link that was just made. Only its digest is stored. */
export interface NewLink {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/**
 * Links that let their holder choose the password of an account, once. Lock the row of the account first: all methods
 * write rows of its links, and two changes of one account would wait for each other.
 */
export class OneTimeLinks {
  readonly #deps: OneTimeLinksDeps;

  constructor(deps: OneTimeLinksDeps) {
    this.#deps = deps;
  }

  async issue(trx: Transaction, userId: string, kind: LinkKind, lifetimeMs: number): Promise<NewLink> {
    const now = this.#deps.clock.now();
    const token = randomSecret(TOKEN_BYTES).toString('base64url');
    const expires_at = isoTime(now + lifetimeMs);
    await LinkRow.query(trx).insert({
      id: newId(now),
      user_id: userId,
      kind,
      digest: digestOf(token),
      created_at: isoTime(now),
      expires_at,
      used_at: null,
    });
    return { token, expires_at };
  }

  /** The account of a link that works. Throws `LinkEnded`, which says why it does not. */
  async accountOf(token: string): Promise<string> {
    const { database, clock } = this.#deps;
    const link = await LinkRow.query(database.knex).findOne({ digest: digestOf(token) });
    const again = 'Ask for a new one.';
    if (!link) {
      throw LinkEnded(
        `The link is not known: it is incomplete, or another one took its place. Open the newest link, or ask for a new one.`,
      );
    }
    if (link.used_at !== null) throw LinkEnded(`The link was used already, at ${link.used_at}. ${again}`);
    if (link.expires_at <= isoTime(clock.now()))
      throw LinkEnded(`The link expired at ${link.expires_at}. ${again}`);
    return link.user_id;
  }

  /** Uses a link up. Throws `LinkEnded` when it was used at the same moment. */
  async use(trx: Transaction, token: string): Promise<void> {
    const now = isoTime(this.#deps.clock.now());
    const used = await LinkRow.query(trx)
      .where({ digest: digestOf(token) })
      .whereNull('used_at')
      .where('expires_at', '>', now)
      .patch({ used_at: now });
    if (used === 0) throw LinkEnded('The link was used already, just now. Ask for a new one.');
  }

  /** Whether the account got a link for a new password since a moment. */
  async wasResetSince(trx: Transaction, userId: string, since: number): Promise<boolean> {
    const link = await LinkRow.query(trx)
      .where({ user_id: userId, kind: 'reset' })
      .where('created_at', '>', isoTime(since))
      .first();
    return link !== undefined;
  }

  /** Deletes a link that could not be mailed. */
  async withdraw(token: string): Promise<void> {
    await LinkRow.query(this.#deps.database.knex).where('digest', digestOf(token)).delete();
  }

  /** Ends the links of an account that were not used. */
  async endAll(trx: Transaction, userId: string): Promise<void> {
    await LinkRow.query(trx).where('user_id', userId).whereNull('used_at').delete();
  }

  /** Deletes all links of an account. */
  async deleteAll(trx: Transaction, userId: string): Promise<void> {
    await LinkRow.query(trx).where('user_id', userId).delete();
  }

  /** Deletes those that expired long enough ago. */
  async deleteOld(): Promise<void> {
    const { database, clock } = this.#deps;
    const before = isoTime(clock.now() - KEPT_MS);
    await LinkRow.query(database.knex).where('expires_at', '<=', before).delete();
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}

export const ONE_TIME_LINKS = token<OneTimeLinks>('users:one-time-links');

import {
  containing,
  Forbidden,
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
} from '../../core/index.ts';
import { uniqueKey } from './account-rules.ts';
import { audited, type AccountTrail } from './account-trail.ts';
import { lockAdministrators, refuseLast } from './administrators.ts';
import {
  ACCOUNT_CHANGED_TOPIC,
  userDisabled,
  type StandingCredential,
  type StandingCredentials,
} from './contract.ts';
import type { OneTimeLinks } from './links/one-time-links.ts';
import { UserRow } from './models.ts';
import { UserNotFound } from './problems.ts';
import { takenProblem } from './registration.ts';
import type { ChangedUser, User, UserChange, UserList, UsersQuery } from './schemas.ts';
import { endOfTokens } from './token-ids.ts';

export interface AdministrationDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly trail: AccountTrail;
  readonly links: OneTimeLinks;
  /** Credentials that come back with an account, or are revoked on request. */
  readonly standing: readonly StandingCredentials[];
}

/** Manages accounts for administrators. */
export class Administration {
  readonly #deps: AdministrationDeps;

  constructor(deps: AdministrationDeps) {
    this.#deps = deps;
  }

  /** The matching accounts, newest first; deleted ones only on request. */
  async list({ q, role, status, skip, limit }: UsersQuery): Promise<UserList> {
    const matching = UserRow.query(this.#deps.database.knex);
    if (status) matching.where({ status });
    else matching.whereNot({ status: 'deleted' });
    if (role) matching.where({ role });
    if (q) {
      const part = containing(q);
      matching.whereRaw(`(username_key LIKE ? ESCAPE '!' OR email_key LIKE ? ESCAPE '!')`, [part, part]);
    }
    const total = await matching.clone().resultSize();
    const users = await matching.orderBy('id', 'desc').offset(skip).limit(limit);
    return { users, total };
  }

  /** An account, also a deleted one. Throws `UserNotFound`. */
  async get(id: string): Promise<User> {
    const row = isId(id) ? await UserRow.query(this.#deps.database.knex).findById(id) : undefined;
    return row ?? notFound(id);
  }

  /** An account by its id or its name. Throws `UserNotFound`. */
  async named(name: string): Promise<User> {
    if (isId(name)) return this.get(name);
    const row = await UserRow.query(this.#deps.database.knex).findOne({ username_key: uniqueKey(name) });
    if (!row) throw UserNotFound(`No account has the name "${name}".`);
    return row;
  }

  /**
   * Changes the e-mail address, role or status of an account, and revokes its API keys on request. Throws `UserNotFound`,
   * `EmailTaken`, `LastAdministrator` when no active administrator would remain, and `Forbidden` when the caller is no
   * longer an administrator, or is an API key that would change an address.
   */
  async change(id: string, change: UserChange, author: Author, by?: UserPrincipal): Promise<ChangedUser> {
    const { database, events, trail } = this.#deps;
    if (!isId(id)) notFound(id);
    const { before, after, restored } = await database
      .transaction(async (trx) => {
        const { before, after } = await this.#changed(trx, id, change, by);
        if (change.revoke_api_keys) await this.#revokeAll(trx, id, author);
        const revoked = change.revoke_api_keys ? { revoked_api_keys: true } : {};
        const states = { before: audited(before), after: { ...audited(after), ...revoked } };
        await trail.record(trx, author, 'update', after, states);
        const isRestored = before.status === 'disabled' && after.status === 'active';
        return { before, after, restored: isRestored ? await this.#active(trx, id) : undefined };
      })
      .catch((error: unknown) => {
        throw takenProblem(error, { username: '', email: change.email ?? '' }) ?? error;
      });
    if (before.status === 'active' && after.status === 'disabled') {
      events.emit(userDisabled, { user_id: id, username: after.username });
    }
    return restored ? { ...after, restored_api_keys: restored } : after;
  }

  async hasAdministrator(): Promise<boolean> {
    const row = await UserRow.query(this.#deps.database.knex).findOne({ role: 'admin', status: 'active' });
    return row !== undefined;
  }

  async isEmpty(): Promise<boolean> {
    return (await UserRow.query(this.#deps.database.knex).select('id').first()) === undefined;
  }

  async #changed(trx: Transaction, id: string, change: UserChange, by: UserPrincipal | undefined) {
    const { clock, invalidation, links } = this.#deps;
    const administrators = await lockAdministrators(trx, by);
    const before = await lockedAccount(trx, id);
    const { email = before.email, role = before.role, status = before.status } = change;
    if (role !== 'admin' || status !== 'active') refuseLast(administrators, before);
    if (!before.differsFrom({ email, role, status })) return { before, after: before };
    const isReaddressed = email !== before.email;
    if (isReaddressed && by) refuseKey(by);
    const isDisabled = before.status === 'active' && status === 'disabled';
    const after = await UserRow.query(trx).patchAndFetchById(id, {
      email,
      email_key: uniqueKey(email),
      role,
      status,
      updated_at: isoTime(clock.now()),
      ...(isDisabled && { tokens_after: endOfTokens(before) }),
    });
    // Those on their way to the old address may be read by another person.
    if (isReaddressed) await links.endAll(trx, id);
    invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
    return { before, after };
  }

  async #revokeAll(trx: Transaction, id: string, by: Author): Promise<void> {
    for (const credentials of this.#deps.standing) await credentials.endAll(trx, id, by);
  }

  async #active(trx: Transaction, id: string) {
    const each: (readonly StandingCredential[])[] = [];
    for (const credentials of this.#deps.standing) each.push(await credentials.active(trx, id));
    return each.flat().map(({ id: key, name, expires_at }) => ({ id: key, name, expires_at }));
  }
}

/** Finds and locks an account that was not deleted. */
export async function findLocked(trx: Transaction, id: string): Promise<UserRow | undefined> {
  const row = isId(id) ? await UserRow.query(trx).findById(id).forUpdate() : undefined;
  return row?.status === 'deleted' ? undefined : row;
}

/** Locks an account that was not deleted. Throws `UserNotFound`. */
export async function lockedAccount(trx: Transaction, id: string): Promise<UserRow> {
  return (await findLocked(trx, id)) ?? notFound(id);
}

/** Who may choose where links are sent, or make them, could take the account over, which a key must not. */
export function refuseKey({ via }: UserPrincipal): void {
  if (via === 'token' || via === 'session') return;
  throw Forbidden(
    'An API key or an access token may not manage passwords, nor the addresses to which links are sent. Sign in instead.',
  );
}

function notFound(id: string): never {
  throw UserNotFound(`No account has the id "${id}".`);
}

export const ADMINISTRATION = token<Administration>('users:administration');

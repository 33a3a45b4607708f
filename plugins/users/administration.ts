import {
  containing,
  Forbidden,
  isId,
  isoTime,
  token,
  type Clock,
  type Database,
  type EventBus,
  type Invalidation,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';
import {
  ACCOUNT_CHANGED_TOPIC,
  userDisabled,
  type StandingCredential,
  type StandingCredentials,
} from './contract.ts';
import { UserRow } from './models.ts';
import { LastAdministrator, UserNotFound } from './problems.ts';
import type { ChangedUser, User, UserChange, UserList, UsersQuery } from './schemas.ts';
import { endOfTokens } from './token-ids.ts';

export interface AdministrationDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly clock: Clock;
  /** Credentials that come back with an account, or are revoked on request. */
  readonly standing: readonly StandingCredentials[];
}

/** Manages accounts for administrators. */
export class Administration {
  readonly #deps: AdministrationDeps;

  constructor(deps: AdministrationDeps) {
    this.#deps = deps;
  }

  /** The matching accounts, newest first. */
  async list({ q, skip, limit }: UsersQuery): Promise<UserList> {
    const matching = UserRow.query(this.#deps.database.knex);
    if (q) {
      const part = containing(q);
      matching.whereRaw(`(username_key LIKE ? ESCAPE '!' OR email_key LIKE ? ESCAPE '!')`, [part, part]);
    }
    const total = await matching.clone().resultSize();
    const users = await matching.orderBy('id', 'desc').offset(skip).limit(limit);
    return { users, total };
  }

  /** Throws `UserNotFound`. */
  async get(id: string): Promise<User> {
    const row = isId(id) ? await UserRow.query(this.#deps.database.knex).findById(id) : undefined;
    return row ?? notFound(id);
  }

  /**
   * Changes the role or status of an account, and revokes its API keys on request. Throws `UserNotFound`, `LastAdministrator` when no active administrator
   * would remain, and `Forbidden` when the caller is no longer an administrator and might restore its own role.
   */
  async change(id: string, change: UserChange, by?: UserPrincipal): Promise<ChangedUser> {
    const { database, events } = this.#deps;
    if (!isId(id)) notFound(id);
    const { before, after, restored } = await database.transaction(async (trx) => {
      const { before, after } = await this.#changed(trx, id, change, by);
      if (change.revoke_api_keys) await this.#revokeAll(trx, id);
      const isRestored = before.status === 'disabled' && after.status === 'active';
      return { before, after, restored: isRestored ? await this.#active(trx, id) : undefined };
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
    const administrators = await lockAdministrators(trx);
    if (by && !administrators.some((administrator) => administrator.id === by.userId)) {
      throw Forbidden('Only administrators may do this.');
    }
    const before = (await UserRow.query(trx).findById(id).forUpdate()) ?? notFound(id);
    const role = change.role ?? before.role;
    const status = change.status ?? before.status;
    const stays = role === 'admin' && status === 'active';
    if (!stays && administrators.length === 1 && administrators[0]?.id === id) {
      throw LastAdministrator(
        `"${before.username}" is the last active administrator. Make another account administrator first.`,
      );
    }
    if (!before.differsFrom({ role, status })) return { before, after: before };
    const ended =
      before.status === 'active' && status === 'disabled' ? { tokens_after: endOfTokens(before) } : {};
    const updated_at = isoTime(this.#deps.clock.now());
    const after = await UserRow.query(trx).patchAndFetchById(id, { role, status, updated_at, ...ended });
    this.#deps.invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
    return { before, after };
  }

  async #revokeAll(trx: Transaction, id: string): Promise<void> {
    for (const credentials of this.#deps.standing) await credentials.endAll(trx, id);
  }

  async #active(trx: Transaction, id: string) {
    const each: (readonly StandingCredential[])[] = [];
    for (const credentials of this.#deps.standing) each.push(await credentials.active(trx, id));
    return each.flat().map(({ id: key, name, expires_at }) => ({ id: key, name, expires_at }));
  }
}

/** Locks all active administrators, so that two of them cannot demote each other at the same time. */
async function lockAdministrators(trx: Transaction): Promise<readonly UserRow[]> {
  return UserRow.query(trx).select('id').where({ role: 'admin', status: 'active' }).orderBy('id').forUpdate();
}

function notFound(id: string): never {
  throw UserNotFound(`No account has the id "${id}".`);
}

export const ADMINISTRATION = token<Administration>('users:administration');

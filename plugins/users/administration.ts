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
import { ACCOUNT_CHANGED_TOPIC, userDisabled } from './contract.ts';
import { UserRow } from './models.ts';
import { LastAdministrator, UserNotFound } from './problems.ts';
import type { User, UserChange, UserList, UsersQuery } from './schemas.ts';
import { endOfTokens } from './token-ids.ts';

export interface AdministrationDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly clock: Clock;
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
   * Changes the role or status of an account. Throws `UserNotFound`, `LastAdministrator` when no active administrator
   * would remain, and `Forbidden` when the caller is no longer an administrator and might restore its own role.
   */
  async change(id: string, change: UserChange, by?: UserPrincipal): Promise<User> {
    const { database, events } = this.#deps;
    if (!isId(id)) notFound(id);
    const { before, after } = await database.transaction((trx) => this.#changed(trx, id, change, by));
    if (before.status === 'active' && after.status === 'disabled') {
      events.emit(userDisabled, { user_id: id, username: after.username });
    }
    return after;
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
    const ended =
      before.status === 'active' && status === 'disabled' ? { tokens_after: endOfTokens(before) } : {};
    const updated_at = isoTime(this.#deps.clock.now());
    const after = await UserRow.query(trx).patchAndFetchById(id, { role, status, updated_at, ...ended });
    this.#deps.invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, id);
    return { before, after };
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

import {
  containing,
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type EventBus,
  type Transaction,
} from '../../core/index.ts';
import type { Accounts } from '../users/contract.ts';
import { groupDeleted } from './contract.ts';
import { nameKey, type Membership } from './membership.ts';
import { GroupRow, MemberRow } from './models.ts';
import { GroupNameTaken, GroupNotFound, MemberNotFound } from './problems.ts';
import type {
  GroupAnswer,
  GroupChanges,
  GroupList,
  GroupsQuery,
  MemberList,
  MembersQuery,
  NewGroup,
} from './schemas.ts';

const MANUAL = 'manual';

export interface GroupServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly accounts: Accounts;
  readonly membership: Membership;
  readonly audit: Audit;
}

/** Manages groups and their members for administrators. */
export class GroupService {
  readonly #deps: GroupServiceDeps;

  constructor(deps: GroupServiceDeps) {
    this.#deps = deps;
  }

  /** Throws `GroupNameTaken`. */
  async create({ name, description = '' }: NewGroup, by: Author): Promise<GroupAnswer> {
    const { database, audit, clock } = this.#deps;
    const now = isoTime(clock.now());
    const row = { id: newId(), name, name_key: nameKey(name), description, created_at: now, updated_at: now };
    await uniquely(name, () =>
      database.transaction(async (trx) => {
        await GroupRow.query(trx).insert(row);
        await audit.record(trx, by, { action: 'group.create', target: targetOf(row), after: told(row) });
      }),
    );
    return { ...row, members: 0 };
  }

  /** By name. */
  async list({ q, user_id, skip, limit }: GroupsQuery): Promise<GroupList> {
    const matching = GroupRow.query(this.#deps.database.knex);
    if (q) void matching.whereRaw(`name_key LIKE ? ESCAPE '!'`, [containing(q)]);
    if (user_id !== undefined)
      void matching.whereIn('id', MemberRow.query().where({ user_id }).select('group_id'));
    const total = await matching.clone().resultSize();
    const rows = await matching.orderBy(['name_key', 'id']).offset(skip).limit(limit);
    return { groups: await this.#withMembers(rows), total };
  }

  /** Throws `GroupNotFound`. */
  async find(id: string): Promise<GroupAnswer> {
    const [group] = await this.#withMembers([await this.#row(id)]);
    return group!;
  }

  /** Throws `GroupNotFound` and `GroupNameTaken`. */
  async change(id: string, changes: GroupChanges, by: Author): Promise<GroupAnswer> {
    const { database, audit, clock } = this.#deps;
    await uniquely(changes.name ?? '', () =>
      database.transaction(async (trx) => {
        const row = await lockedGroup(id, trx);
        const { name = row.name, description = row.description } = changes;
        const fields = { name, name_key: nameKey(name), description };
        if (!row.differsFrom(fields)) return;
        const states = { before: told(row), after: told(fields) };
        await audit.record(trx, by, { action: 'group.update', target: targetOf({ id, name }), ...states });
        await row.$query(trx).patch({ ...fields, updated_at: isoTime(clock.now()) });
      }),
    );
    return this.find(id);
  }

  /** Deletes a group with its memberships; listeners delete what it was given. Throws `GroupNotFound`. */
  async remove(id: string, by: Author): Promise<void> {
    const { database, events, membership, audit } = this.#deps;
    const { name } = await database.transaction(async (trx) => {
      const row = await lockedGroup(id, trx);
      await membership.remove(trx, { group_id: id });
      await row.$query(trx).delete();
      await audit.record(trx, by, { action: 'group.delete', target: targetOf(row), before: told(row) });
      return row;
    });
    events.emit(groupDeleted, { group_id: id, name });
  }

  /** Throws `GroupNotFound`. */
  async members(id: string, { skip, limit }: MembersQuery): Promise<MemberList> {
    await this.#row(id);
    const { database, accounts } = this.#deps;
    const of = () => MemberRow.query(database.knex).where({ group_id: id });
    const counted = (await of().countDistinct('user_id as total').first()) as unknown as {
      total: number | string;
    };
    const page = await of()
      .select('user_id')
      .min('created_at as created_at')
      .groupBy('user_id')
      .orderBy(['created_at', 'user_id'])
      .offset(skip)
      .limit(limit);
    const rows = await of().whereIn(
      'user_id',
      page.map(({ user_id }) => user_id),
    );
    const members = await Promise.all(
      page.map(async ({ user_id, created_at: since }) => ({
        user_id,
        username: (await accounts.find(user_id))?.username ?? '',
        sources: rows.filter((row) => row.user_id === user_id).map(({ source }) => source),
        since,
      })),
    );
    return { members, total: Number(counted.total) };
  }

  /** Does nothing when the account is one already. Throws `GroupNotFound` and `MemberNotFound`. */
  async addMember(id: string, userId: string, by: Author): Promise<void> {
    const { database, accounts, membership, audit } = this.#deps;
    await database.transaction(async (trx) => {
      const target = targetOf(await lockedGroup(id, trx));
      const account = await accounts.hold(trx, userId);
      if (!account) throw MemberNotFound(`No account has the id "${userId}".`);
      const isAdded = await membership.add(trx, { group_id: id, user_id: userId, source: MANUAL });
      const after = { user_id: userId, username: account.username };
      if (isAdded) await audit.record(trx, by, { action: 'group.add_member', target, after });
    });
  }

  /** Throws `GroupNotFound`, and `MemberNotFound` unless an administrator added the account. */
  async removeMember(id: string, userId: string, by: Author): Promise<void> {
    const { database, membership, audit } = this.#deps;
    const target = targetOf(await this.#row(id));
    const isRemoved = await database.transaction(async (trx) => {
      const was = await membership.remove(trx, { group_id: id, user_id: userId, source: MANUAL });
      if (was)
        await audit.record(trx, by, { action: 'group.remove_member', target, before: { user_id: userId } });
      return was;
    });
    if (isRemoved) return;
    throw MemberNotFound(
      `No administrator added the account "${userId}" to this group. A membership that a plugin keeps, such as single sign-on, ends only there.`,
    );
  }

  async #row(id: string): Promise<GroupRow> {
    const row = isId(id) ? await GroupRow.query(this.#deps.database.knex).findById(id) : undefined;
    return row ?? notFound(id);
  }

  async #withMembers(rows: readonly GroupRow[]): Promise<GroupAnswer[]> {
    const counted = (await MemberRow.query(this.#deps.database.knex)
      .whereIn(
        'group_id',
        rows.map(({ id }) => id),
      )
      .select('group_id')
      .countDistinct('user_id as members')
      .groupBy('group_id')) as unknown as { group_id: string; members: number | string }[];
    const counts = new Map(counted.map(({ group_id, members }) => [group_id, Number(members)]));
    return rows.map((row) => ({ ...row, members: counts.get(row.id) ?? 0 }));
  }
}

function targetOf({ id, name }: Pick<GroupRow, 'id' | 'name'>) {
  return { kind: 'group', id, name };
}

/** What the audit trail tells of a group. */
function told({ name, description }: Pick<GroupRow, 'name' | 'description'>): object {
  return { name, description };
}

/** Locks a group: its changes come one after another, and one that is deleted meanwhile gets no member. */
async function lockedGroup(id: string, trx: Transaction): Promise<GroupRow> {
  const row = isId(id) ? await GroupRow.query(trx).findById(id).forUpdate() : undefined;
  return row ?? notFound(id);
}

async function uniquely(name: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw GroupNameTaken(`A group is called "${name}" already, but for case and width.`);
  }
}

function notFound(id: string): never {
  throw GroupNotFound(`No group has the id "${id}".`);
}

export const GROUP_SERVICE = token<GroupService>('groups:group-service');

import {
  folded,
  isoTime,
  newId,
  token,
  ValidationFailed,
  type Clock,
  type Database,
  type Invalidation,
  type PreparedRead,
  type Transaction,
} from '../../core/index.ts';
import type { AccountBelongings, Accounts } from '../users/contract.ts';
import { MEMBERS_CHANGED_TOPIC, type Group, type Groups } from './contract.ts';
import { GroupRow, MemberRow } from './models.ts';
import { LONGEST_NAME } from './schemas.ts';

/** The size of the cache, in ids of groups. */
const MAX_IDS = 100_000;
/** Ends of lines and control characters; the database stores neither NUL nor halves of surrogate pairs. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The key by which names are unique. */
export function nameKey(name: string): string {
  return folded(name.trim());
}

/** Who belongs to which groups. Cached until any membership changes, since every call that a grant decides asks. */
export class Membership implements Groups, AccountBelongings {
  readonly name = 'groups';
  readonly #database: Database;
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #ids: PreparedRead<{ group_id: string }>;
  readonly #cache;

  constructor(deps: { database: Database; invalidation: Invalidation; clock: Clock; accounts: Accounts }) {
    this.#database = deps.database;
    this.#invalidation = deps.invalidation;
    this.#clock = deps.clock;
    this.#accounts = deps.accounts;
    this.#ids = deps.database.read(
      'SELECT DISTINCT group_id FROM groups_members WHERE user_id = ? ORDER BY group_id',
    );
    this.#cache = deps.invalidation.cache<readonly string[]>({
      topics: [MEMBERS_CHANGED_TOPIC],
      drops: 'all',
      maxSize: MAX_IDS,
      sizeOf: (ids) => ids.length + 1,
    });
  }

  of(userId: string): readonly string[] | Promise<readonly string[]> {
    return this.#cache.get(userId, async () => (await this.#ids.all(userId)).map(({ group_id }) => group_id));
  }

  async find(id: string): Promise<Group | undefined> {
    return groupOf(await GroupRow.query(this.#database.knex).findById(id));
  }

  async findByName(name: string): Promise<Group | undefined> {
    return groupOf(await GroupRow.query(this.#database.knex).findOne({ name_key: nameKey(name) }));
  }

  isName(name: string): boolean {
    return nameKey(name) !== '' && name.length <= LONGEST_NAME && !UNFIT.test(name.trim());
  }

  async sync(source: string, userId: string, names: readonly string[]): Promise<void> {
    const wrong = names.find((name) => !this.isName(name));
    if (wrong !== undefined) throw notAName(wrong);
    const byKey = new Map(names.map((name) => [nameKey(name), name.trim()]));
    // In one order, so that two first sign-ins with the same new groups do not wait for each other.
    const wanted = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1));
    await this.#database.transaction(async (trx) => {
      // One that was deleted meanwhile has lost its memberships already.
      if (!(await this.#accounts.hold(trx, userId))) return;
      const ids = new Set<string>();
      for (const [name_key, name] of wanted) ids.add(await this.#ensured(trx, name_key, name));
      const present = await MemberRow.query(trx).where({ user_id: userId, source });
      for (const { group_id } of present)
        if (!ids.has(group_id)) await this.remove(trx, { group_id, user_id: userId, source });
      for (const group_id of ids) await this.add(trx, { group_id, user_id: userId, source });
    });
  }

  /** Adds a membership unless it is there, and returns whether it was added. */
  async add(trx: Transaction, member: Pick<MemberRow, 'group_id' | 'user_id' | 'source'>): Promise<boolean> {
    if (await MemberRow.query(trx).findOne(member)) return false;
    const row = { ...member, created_at: isoTime(this.#clock.now()) };
    await MemberRow.query(trx).insert(row).onConflict(['group_id', 'user_id', 'source']).ignore();
    this.#invalidation.publish(trx, MEMBERS_CHANGED_TOPIC, member.user_id);
    return true;
  }

  /** Returns whether there was one. */
  async remove(trx: Transaction, member: Partial<MemberRow>): Promise<boolean> {
    const removed = await MemberRow.query(trx).delete().where(member);
    if (removed > 0)
      this.#invalidation.publish(trx, MEMBERS_CHANGED_TOPIC, member.user_id ?? member.group_id ?? '');
    return removed > 0;
  }

  /** Deletes the memberships of an account, in the transaction that deletes the account. */
  async takeBack(trx: Transaction, userId: string): Promise<void> {
    await this.remove(trx, { user_id: userId });
  }

  async #ensured(trx: Transaction, name_key: string, name: string): Promise<string> {
    const now = isoTime(this.#clock.now());
    const row = { id: newId(), name, name_key, description: '', created_at: now, updated_at: now };
    await GroupRow.query(trx).insert(row).onConflict('name_key').ignore();
    const found = await GroupRow.query(trx).findOne({ name_key }).throwIfNotFound();
    return found.id;
  }
}

function notAName(name: string): Error {
  return ValidationFailed(
    `"${name.slice(0, LONGEST_NAME)}" cannot be the name of a group: it must have 1 to ${LONGEST_NAME} characters in one line, without control characters.`,
  );
}

function groupOf(row: GroupRow | undefined): Group | undefined {
  return row && { id: row.id, name: row.name };
}

export const MEMBERSHIP = token<Membership>('groups:membership');

import { isDeepStrictEqual } from 'node:util';
import {
  isId,
  isoTime,
  type Model,
  newId,
  storableTime,
  token,
  UniqueViolation,
  ValidationFailed,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Transaction,
} from '../../core/index.ts';
import { undoIfAlgorithmWent, type Catalogue } from '../catalogue/contract.ts';
import type { AccountBelongings } from '../users/contract.ts';
import { GRANTS_CHANGED_TOPIC } from './grant-policy.ts';
import { unknown, type Grantee, type Grantees } from './grantees.ts';
import { deleteGrants, GrantRow } from './models.ts';
import { GrantExists } from './problems.ts';
import type { Grant, GrantChanges, GrantFilter, NewGrant } from './schemas.ts';

type GrantFields = Omit<GrantRow, keyof Model>;

/** Stores the rights on algorithms that were granted to accounts, groups and everyone. */
export class Grants implements AccountBelongings {
  readonly name = 'grants';
  readonly #database: Database;
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #grantees: Grantees;
  readonly #catalogue: Catalogue;
  readonly #audit: Audit;

  constructor(deps: {
    database: Database;
    invalidation: Invalidation;
    clock: Clock;
    grantees: Grantees;
    catalogue: Catalogue;
    audit: Audit;
  }) {
    this.#audit = deps.audit;
    this.#database = deps.database;
    this.#invalidation = deps.invalidation;
    this.#clock = deps.clock;
    this.#grantees = deps.grantees;
    this.#catalogue = deps.catalogue;
  }

  /**
   * Throws `GranteeNotFound`, `GrantExists`, `ValidationFailed` for an end that is past, and `AlgorithmNotFound` when the
   * algorithm is deleted meanwhile. A grant that has expired is replaced.
   */
  async create(input: NewGrant, grantedBy: string, by: Author): Promise<Grant> {
    const grantee = await this.#grantees.named(input);
    const now = this.#clock.now();
    const { algorithm_id, permission_type } = input;
    const row = {
      id: newId(now),
      algorithm_id,
      ...grantee,
      permission_type,
      granted_by: grantedBy,
      created_at: isoTime(now),
      expires_at: endOf(input.expires_at ?? null, now),
    };
    await this.#insert(row, by);
    await this.#undoIfGranteeWent(grantee);
    await undoIfAlgorithmWent(this.#catalogue, algorithm_id, () => this.removeOfAlgorithm(algorithm_id));
    return shown(row);
  }

  async find(id: string): Promise<Grant | undefined> {
    const row = isId(id) ? await GrantRow.query(this.#database.knex).findById(id) : undefined;
    return row && shown(row);
  }

  /** The matching grants, newest first, without expired ones. */
  async list(filter: GrantFilter): Promise<{ grants: Grant[]; total: number }> {
    const now = isoTime(this.#clock.now());
    const { algorithm_id, user_id, group_id } = filter;
    const matching = () => {
      const query = GrantRow.query(this.#database.knex).where((grant) =>
        grant.whereNull('expires_at').orWhere('expires_at', '>', now),
      );
      if (algorithm_id !== undefined) void query.where({ algorithm_id });
      if (user_id !== undefined) void query.where({ grantee_kind: 'user', grantee_id: user_id });
      if (group_id !== undefined) void query.where({ grantee_kind: 'group', grantee_id: group_id });
      return query;
    };
    const total = await matching().resultSize();
    const page = matching().orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
    return { grants: (await page.offset(filter.skip).limit(filter.limit)).map(shown), total };
  }

  /**
   * Gives a grant another right or another end, and returns what it is then; `undefined` when it was deleted or has expired
   * meanwhile. Throws `GrantExists`, `ValidationFailed` for an end that is past, and what `check` throws about the grant before
   * and after. What is not changed stays as it is then.
   */
  async change(
    id: string,
    changes: GrantChanges,
    { by, check }: { readonly by: Author; readonly check?: (before: Grant, after: Grant) => void },
  ): Promise<Grant | undefined> {
    const now = this.#clock.now();
    const { permission_type, expires_at } = changes;
    const fields = {
      ...(permission_type !== undefined && { permission_type }),
      ...(expires_at !== undefined && { expires_at: endOf(expires_at, now) }),
    };
    return this.#database.transaction(async (trx) => {
      const row = await GrantRow.query(trx)
        .findById(id)
        .where((grant) => grant.whereNull('expires_at').orWhere('expires_at', '>', isoTime(now)))
        .forUpdate();
      if (row === undefined) return undefined;
      const before = shown(row);
      const after = { ...before, ...fields };
      check?.(before, after);
      if (isDeepStrictEqual(after, before)) return after;
      const { algorithm_id, grantee_kind, grantee_id } = row;
      const same = { algorithm_id, grantee_kind, grantee_id, permission_type: after.permission_type };
      await this.#removeExpired(trx, same, isoTime(now));
      await refusingTwins(same, async () => GrantRow.query(trx).findById(id).patch(fields));
      await this.#audit.record(trx, by, {
        action: 'grant.update',
        target: { kind: 'grant', id },
        before,
        after,
      });
      this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, algorithm_id);
      return after;
    });
  }

  /** Deletes a grant, and returns whether it existed. */
  async remove(grant: Grant, by: Author): Promise<boolean> {
    return this.#database.transaction(async (trx) => {
      const removed = await GrantRow.query(trx).deleteById(grant.id);
      if (removed > 0) {
        const target = { kind: 'grant', id: grant.id };
        await this.#audit.record(trx, by, { action: 'grant.delete', target, before: grant });
      }
      this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, grant.algorithm_id);
      return removed > 0;
    });
  }

  async removeOfAlgorithm(algorithmId: string): Promise<void> {
    await this.#database.transaction((trx) => this.#removeOf(trx, { algorithm_id: algorithmId }));
  }

  /** Deletes the grants of an account, in the transaction that deletes it; a disabled account keeps its grants. */
  async takeBack(trx: Transaction, userId: string): Promise<void> {
    await this.#removeOf(trx, { grantee_kind: 'user', grantee_id: userId });
  }

  async removeOfGroup(groupId: string): Promise<void> {
    await this.#database.transaction((trx) =>
      this.#removeOf(trx, { grantee_kind: 'group', grantee_id: groupId }),
    );
  }

  /** Deletes what has expired; it has not counted since. */
  async deleteExpired(): Promise<void> {
    const now = isoTime(this.#clock.now());
    await this.#database.transaction((trx) =>
      deleteGrants(trx, (rows) => rows.where('expires_at', '<=', now)),
    );
  }

  async #removeOf(trx: Transaction, those: Grantee | Pick<Grant, 'algorithm_id'>): Promise<void> {
    for (const algorithmId of await deleteGrants(trx, (rows) => rows.where(those)))
      this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, algorithmId);
  }

  /** Deletes grants that were made while their account or group was deleted. */
  async #undoIfGranteeWent(grantee: Grantee): Promise<void> {
    if (await this.#grantees.exists(grantee)) return;
    await this.#database.transaction((trx) => this.#removeOf(trx, grantee));
    throw unknown(grantee);
  }

  async #insert(row: GrantFields, by: Author): Promise<void> {
    const { algorithm_id, grantee_kind, grantee_id, permission_type } = row;
    const same = { algorithm_id, grantee_kind, grantee_id, permission_type };
    await refusingTwins(same, () =>
      this.#database.transaction(async (trx) => {
        await this.#removeExpired(trx, same, row.created_at);
        await GrantRow.query(trx).insert(row);
        const target = { kind: 'grant', id: row.id };
        await this.#audit.record(trx, by, { action: 'grant.create', target, after: shown(row) });
        this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, algorithm_id);
      }),
    );
  }

  /** Makes room for a grant where the same one has expired. */
  async #removeExpired(trx: Transaction, same: Partial<GrantFields>, now: string): Promise<void> {
    await GrantRow.query(trx).delete().where(same).where('expires_at', '<=', now);
  }
}

/** Says who holds a right already, where a grant would stand there twice. */
async function refusingTwins<T>(
  { grantee_kind, grantee_id, permission_type }: Grantee & Pick<Grant, 'permission_type'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const who = { user: `The account ${grantee_id}`, group: `The group ${grantee_id}`, everyone: 'Everyone' };
    throw GrantExists(`${who[grantee_kind]} holds ${permission_type} on this algorithm already.`);
  }
}

function shown({ grantee_kind, grantee_id, ...row }: GrantFields): Grant {
  const { id, algorithm_id, permission_type, granted_by, created_at, expires_at } = row;
  return {
    id,
    algorithm_id,
    user_id: grantee_kind === 'user' ? grantee_id : null,
    group_id: grantee_kind === 'group' ? grantee_id : null,
    everyone: grantee_kind === 'everyone',
    permission_type,
    granted_by,
    created_at,
    expires_at,
  };
}

/** The end of a grant in the stored form of times. */
function endOf(text: string | null, now: number): string | null {
  if (text === null) return null;
  const time = storableTime(text);
  if (time !== undefined && time > now) return isoTime(time);
  const message = 'must be a time in the future, before the year 10000.';
  throw ValidationFailed(`The grant cannot end then: expires_at ${message}`, {
    errors: [{ pointer: '/body/expires_at', message }],
  });
}

export const GRANTS = token<Grants>('permissions:grants');

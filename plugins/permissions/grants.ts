import {
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Transaction,
} from '../../core/index.ts';
import { undoIfAlgorithmWent, type Catalogue } from '../catalogue/contract.ts';
import type { AccountBelongings, Accounts } from '../users/contract.ts';
import { GRANTS_CHANGED_TOPIC } from './grant-policy.ts';
import { GrantRow } from './models.ts';
import { GranteeNotFound, GrantExists } from './problems.ts';
import type { Grant, GrantFilter, NewGrant } from './schemas.ts';

/** Stores the rights on algorithms that were granted to accounts. */
export class Grants implements AccountBelongings {
  readonly name = 'grants';
  readonly #database: Database;
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #catalogue: Catalogue;
  readonly #audit: Audit;

  constructor(deps: {
    database: Database;
    invalidation: Invalidation;
    clock: Clock;
    accounts: Accounts;
    catalogue: Catalogue;
    audit: Audit;
  }) {
    this.#audit = deps.audit;
    this.#database = deps.database;
    this.#invalidation = deps.invalidation;
    this.#clock = deps.clock;
    this.#accounts = deps.accounts;
    this.#catalogue = deps.catalogue;
  }

  /** Throws `GranteeNotFound`, `GrantExists`, and `AlgorithmNotFound` when the algorithm is deleted meanwhile. */
  async create(input: NewGrant, grantedBy: string, by: Author): Promise<Grant> {
    await this.#refuseUnknownAccount(input.user_id);
    const now = this.#clock.now();
    const { algorithm_id, user_id, permission_type } = input;
    const about = { algorithm_id, user_id, permission_type };
    const grant: Grant = { id: newId(now), ...about, granted_by: grantedBy, created_at: isoTime(now) };
    await this.#insert(grant, by);
    await this.#undoIfAccountWent(user_id);
    await undoIfAlgorithmWent(this.#catalogue, algorithm_id, () => this.removeOfAlgorithm(algorithm_id));
    return grant;
  }

  async find(id: string): Promise<Grant | undefined> {
    return isId(id) ? await GrantRow.query(this.#database.knex).findById(id) : undefined;
  }

  /** The matching grants, newest first. */
  async list(filter: GrantFilter): Promise<{ grants: Grant[]; total: number }> {
    const matching = () => {
      const query = GrantRow.query(this.#database.knex);
      if (filter.algorithm_id !== undefined) void query.where({ algorithm_id: filter.algorithm_id });
      if (filter.user_id !== undefined) void query.where({ user_id: filter.user_id });
      return query;
    };
    const total = await matching().resultSize();
    const page = matching().orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
    return { grants: await page.offset(filter.skip).limit(filter.limit), total };
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
    await this.#database.transaction(async (trx) => {
      await GrantRow.query(trx).delete().where({ algorithm_id: algorithmId });
      this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, algorithmId);
    });
  }

  /** Deletes the grants of an account, in the transaction that deletes it; a disabled account keeps its grants. */
  async takeBack(trx: Transaction, userId: string): Promise<void> {
    const rows = await GrantRow.query(trx).where({ user_id: userId }).select('algorithm_id');
    await GrantRow.query(trx).delete().where({ user_id: userId });
    for (const algorithmId of new Set(rows.map((row) => row.algorithm_id)))
      this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, algorithmId);
  }

  async #refuseUnknownAccount(userId: string): Promise<void> {
    const account = isId(userId) ? await this.#accounts.find(userId) : undefined;
    if (account === undefined) throw unknownAccount(userId);
  }

  /** Deletes grants that were made while their account was deleted. */
  async #undoIfAccountWent(userId: string): Promise<void> {
    if ((await this.#accounts.find(userId)) !== undefined) return;
    await this.#database.transaction((trx) => this.takeBack(trx, userId));
    throw unknownAccount(userId);
  }

  async #insert(grant: Grant, by: Author): Promise<void> {
    try {
      await this.#database.transaction(async (trx) => {
        await GrantRow.query(trx).insert(grant);
        const target = { kind: 'grant', id: grant.id };
        await this.#audit.record(trx, by, { action: 'grant.create', target, after: grant });
        this.#invalidation.publish(trx, GRANTS_CHANGED_TOPIC, grant.algorithm_id);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw GrantExists(
        `The account ${grant.user_id} holds ${grant.permission_type} on this algorithm already.`,
      );
    }
  }
}

function unknownAccount(userId: string): Error {
  return GranteeNotFound(`No account has the id "${userId}".`, {
    errors: [{ pointer: '/body/user_id', message: 'must be the id of an account.' }],
  });
}

export const GRANTS = token<Grants>('permissions:grants');

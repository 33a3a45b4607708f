import { isDeepStrictEqual } from 'node:util';
import {
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Clock,
  type Database,
  type Transaction,
} from '../../../core/index.ts';
import { RouteChangeRow, RouteRow } from '../models.ts';
import { RouteConflict, TooManyRules } from '../problems.ts';
import type { RouteRule } from './known-route.ts';
import type { RouteChanges, RouteDeed } from './route-changes.ts';
import { weightsOf } from './shares.ts';

const MOST_ROUTES = 1000;
const MOST_CHANGES = 50;

/** All of a route that a change can change. */
export type RouteFields = Pick<
  RouteRule,
  'stable_version_id' | 'shares' | 'sticky' | 'applies_to' | 'rollback'
>;

/** A change to be made. */
export interface RouteChange extends RouteDeed {
  readonly fields: RouteFields;
}

export interface StoredRoute extends RouteRule {
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RouteStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly changes: RouteChanges;
}

/** Keeps routes and the history of their changes; changes of one route take turns, whichever instance makes them. */
export class RouteStore {
  readonly #deps: RouteStoreDeps;

  constructor(deps: RouteStoreDeps) {
    this.#deps = deps;
  }

  async list(skip: number, limit: number): Promise<{ routes: StoredRoute[]; total: number }> {
    const { results, total } = await RouteRow.query(this.#deps.database.knex)
      .orderBy('id', 'desc')
      .range(skip, skip + limit - 1);
    return { routes: results, total };
  }

  async find(algorithmId: string): Promise<StoredRoute | undefined> {
    if (!isId(algorithmId)) return undefined;
    return RouteRow.query(this.#deps.database.knex).findOne('algorithm_id', algorithmId);
  }

  /** The last changes, newest first. */
  async history({ id }: StoredRoute): Promise<RouteChangeRow[]> {
    return RouteChangeRow.query(this.#deps.database.knex).where('route_id', id).orderBy('revision', 'desc');
  }

  /** Throws `TooManyRules`, or `RouteConflict` when somebody else just made one. */
  async create(algorithmId: string, { fields, ...deed }: RouteChange): Promise<void> {
    const now = isoTime(this.#deps.clock.now());
    const route = { id: newId(), algorithm_id: algorithmId, ...fields, revision: 1 };
    try {
      await this.#deps.database.transaction(async (trx) => {
        if ((await RouteRow.query(trx).resultSize()) >= MOST_ROUTES) {
          throw TooManyRules(`There are ${MOST_ROUTES} routes. Delete those that are not needed.`);
        }
        await RouteRow.query(trx).insert({ ...asRow(route), created_at: now, updated_at: now });
        await this.#note(route, deed, now, trx);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw RouteConflict('Somebody else has just made a route for this algorithm. Read it first.');
    }
    this.#deps.changes.tell(deed, route);
  }

  /**
   * Changes a route to what is decided from how it stands; nothing happens when that is nothing, when nothing is
   * different, or when there is no route. Answers whether there is one.
   */
  async change(algorithmId: string, decide: (route: RouteRule) => RouteChange | undefined): Promise<boolean> {
    const { database, clock, changes } = this.#deps;
    const made = await database.transaction(async (trx) => {
      const before = await held(algorithmId, trx);
      const change = before && decide(before);
      if (!before || !change || isDeepStrictEqual(fieldsOf(before), fieldsOf(change.fields))) {
        return { exists: before !== undefined };
      }
      const { fields, ...deed } = change;
      const now = isoTime(clock.now());
      const { id, revision } = before;
      const route = { id, algorithm_id: algorithmId, ...fieldsOf(fields), revision: revision + 1 };
      await RouteRow.query(trx)
        .findById(id)
        .patch({ ...asRow(route), updated_at: now });
      await this.#note(route, deed, now, trx);
      return { exists: true, deed, route };
    });
    if (made.route) changes.tell(made.deed, made.route);
    return made.exists;
  }

  /** Deletes a route, or only this revision of it, with its history. Answers whether there was one. */
  async delete(
    algorithmId: string,
    { changedBy, reason }: Omit<RouteDeed, 'action'>,
    revision?: number,
  ): Promise<boolean> {
    const { database, changes } = this.#deps;
    const route = await database.transaction(async (trx) => {
      const row = await held(algorithmId, trx);
      if (!row || (revision !== undefined && revision !== row.revision)) return undefined;
      await RouteChangeRow.query(trx).delete().where('route_id', row.id);
      await RouteRow.query(trx).deleteById(row.id);
      changes.publish(trx, row);
      return row;
    });
    if (route) changes.tell({ action: 'deleted', changedBy, reason }, route);
    return route !== undefined;
  }

  async #note(route: RouteRule, deed: RouteDeed, now: string, trx: Transaction): Promise<void> {
    const { id, revision, stable_version_id, shares } = route;
    await RouteChangeRow.query(trx).insert({
      route_id: id,
      revision,
      action: deed.action,
      changed_by: deed.changedBy,
      reason: deed.reason,
      stable_version_id,
      versions: weightsOf(shares),
      changed_at: now,
    });
    await RouteChangeRow.query(trx)
      .delete()
      .where('route_id', id)
      .where('revision', '<=', revision - MOST_CHANGES);
    this.#deps.changes.publish(trx, route);
  }
}

/** Reads a route and holds it until the transaction ends. */
async function held(algorithmId: string, trx: Transaction): Promise<RouteRow | undefined> {
  if (!isId(algorithmId)) return undefined;
  return RouteRow.query(trx).findOne('algorithm_id', algorithmId).forUpdate();
}

function fieldsOf({ stable_version_id, shares, sticky, applies_to, rollback }: RouteFields): RouteFields {
  return { stable_version_id, shares, sticky, applies_to, rollback };
}

function asRow({ id, algorithm_id, revision, ...route }: RouteRule) {
  const { shares, ...fields } = fieldsOf(route);
  const copied = shares.map(({ version_id, places }) => ({ version_id, places: [...places] }));
  return { id, algorithm_id, revision, ...fields, shares: copied };
}

export const ROUTE_STORE = token<RouteStore>('gateway:route-store');

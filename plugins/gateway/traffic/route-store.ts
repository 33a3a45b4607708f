import { isDeepStrictEqual } from 'node:util';
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
  type EventBus,
  type Logger,
  type Metrics,
  type Invalidation,
  type Transaction,
} from '../../../core/index.ts';
import { routeChanged } from '../contract.ts';
import { routeChanges } from '../metrics.ts';
import { RouteChangeRow, RouteRow } from '../models.ts';
import { RouteConflict, TooManyRules } from '../problems.ts';
import { RULES_CHANGED_TOPIC } from '../rules/rule-changes.ts';
import type { RouteRule } from './version-route.ts';
import { weightsOf } from './shares.ts';

const MOST_ROUTES = 1000;
const MOST_CHANGES = 50;

/** The actions as the audit trail names them. */
const VERBS = {
  set: 'set',
  promoted: 'promote',
  rolled_back: 'roll_back',
  taken_back: 'take_back',
  version_deleted: 'leave_out',
  deleted: 'delete',
} as const satisfies Record<RouteAction | 'deleted', string>;

export type RouteAction = RouteChangeRow['action'];

/** An entry in the history of a route: the action, its author and its reason. */
interface ChangeEntry<A = RouteAction> {
  readonly action: A;
  readonly by: Author;
  readonly reason: string | null;
}

/** The fields of a route that can change. */
export type RouteFields = Pick<
  RouteRule,
  'stable_version_id' | 'shares' | 'sticky' | 'applies_to' | 'rollback'
>;

/** A change to make. */
export interface RouteChange extends ChangeEntry {
  readonly fields: RouteFields;
}

export interface StoredRoute extends RouteRule {
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RouteStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly audit: Audit;
}

/** Stores routes and their history. The lock on the row of a route serialises its changes on all instances. */
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

  /** The last changes of a route, newest first. */
  async history({ id }: StoredRoute): Promise<RouteChangeRow[]> {
    return RouteChangeRow.query(this.#deps.database.knex).where('route_id', id).orderBy('revision', 'desc');
  }

  /** Throws `TooManyRules`, or `RouteConflict` when the algorithm has just got one. */
  async create(algorithmId: string, { fields, ...entry }: RouteChange): Promise<void> {
    const now = isoTime(this.#deps.clock.now());
    const route = { id: newId(), algorithm_id: algorithmId, ...fields, revision: 1 };
    try {
      await this.#deps.database.transaction(async (trx) => {
        if ((await RouteRow.query(trx).resultSize()) >= MOST_ROUTES) {
          throw TooManyRules(`There are ${MOST_ROUTES} routes. Delete those that are not needed.`);
        }
        await RouteRow.query(trx).insert({ ...asRow(route), created_at: now, updated_at: now });
        await this.#addToHistory(route, entry, now, trx);
        await this.#record(trx, entry, { after: route });
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw RouteConflict('A route for this algorithm has just been made. Read it first.');
    }
    this.#announce(entry, route);
  }

  /**
   * Changes a route as `decide` says, from its present state. Does nothing when `decide` returns `undefined` or no
   * difference, and when there is no route. Returns whether there is a route.
   */
  async change(algorithmId: string, decide: (route: RouteRule) => RouteChange | undefined): Promise<boolean> {
    const { database, clock } = this.#deps;
    const made = await database.transaction(async (trx) => {
      const before = await lockedRow(algorithmId, trx);
      const change = before && decide(before);
      if (!before || !change || isDeepStrictEqual(fieldsOf(before), fieldsOf(change.fields))) {
        return { exists: before !== undefined };
      }
      const { fields, ...entry } = change;
      const now = isoTime(clock.now());
      const { id, revision } = before;
      const route = { id, algorithm_id: algorithmId, ...fieldsOf(fields), revision: revision + 1 };
      await RouteRow.query(trx)
        .findById(id)
        .patch({ ...asRow(route), updated_at: now });
      await this.#addToHistory(route, entry, now, trx);
      await this.#record(trx, entry, { before, after: route });
      return { exists: true, entry, route };
    });
    if (made.route) this.#announce(made.entry, made.route);
    return made.exists;
  }

  /** Deletes a route with its history, and with a `revision` only that one. Returns whether it deleted one. */
  async delete(
    algorithmId: string,
    { by, reason }: Omit<ChangeEntry, 'action'>,
    revision?: number,
  ): Promise<boolean> {
    const route = await this.#deps.database.transaction(async (trx) => {
      const row = await lockedRow(algorithmId, trx);
      if (!row || (revision !== undefined && revision !== row.revision)) return undefined;
      await RouteChangeRow.query(trx).delete().where('route_id', row.id);
      await RouteRow.query(trx).deleteById(row.id);
      this.#invalidate(trx, row);
      await this.#record(trx, { action: 'deleted', by, reason }, { before: row });
      return row;
    });
    if (route) this.#announce({ action: 'deleted', by, reason }, route);
    return route !== undefined;
  }

  async #addToHistory(route: RouteRule, entry: ChangeEntry, now: string, trx: Transaction): Promise<void> {
    const { id, revision, stable_version_id, shares } = route;
    await RouteChangeRow.query(trx).insert({
      route_id: id,
      revision,
      action: entry.action,
      changed_by: entry.by.user_id ?? null,
      reason: entry.reason,
      stable_version_id,
      versions: weightsOf(shares),
      changed_at: now,
    });
    await RouteChangeRow.query(trx)
      .delete()
      .where('route_id', id)
      .where('revision', '<=', revision - MOST_CHANGES);
    this.#invalidate(trx, route);
  }

  async #record(
    trx: Transaction,
    { action, by, reason }: ChangeEntry<RouteAction | 'deleted'>,
    { before, after }: { readonly before?: RouteRule; readonly after?: RouteRule },
  ): Promise<void> {
    await this.#deps.audit.record(trx, by, {
      action: `gateway_route.${VERBS[action]}`,
      target: { kind: 'gateway_route', id: (after ?? before)?.algorithm_id },
      before: before && audited(before),
      after: after && { ...audited(after), ...(reason !== null && { reason }) },
    });
  }

  #invalidate(trx: Transaction, { algorithm_id }: RouteRule): void {
    this.#deps.invalidation.publish(trx, RULES_CHANGED_TOPIC, algorithm_id);
  }

  /** Logs and counts the change and emits its event, after the commit. */
  #announce({ action, by, reason }: ChangeEntry<RouteAction | 'deleted'>, route: RouteRule): void {
    const { events, metrics, logger } = this.#deps;
    const { algorithm_id, stable_version_id, shares } = route;
    const versions = weightsOf(shares);
    const fact = {
      algorithm_id,
      action,
      changed_by: by.user_id ?? null,
      reason,
      stable_version_id,
      versions,
    };
    metrics.counter(routeChanges.name).labels(action).inc();
    if (action === 'taken_back') logger.warn(fact, 'A canary failed and was taken back.');
    else logger.info(fact, 'The route of an algorithm changed.');
    events.emit(routeChanged, fact);
  }
}

/** Reads a route and locks it until the transaction ends. */
async function lockedRow(algorithmId: string, trx: Transaction): Promise<RouteRow | undefined> {
  if (!isId(algorithmId)) return undefined;
  return RouteRow.query(trx).findOne('algorithm_id', algorithmId).forUpdate();
}

function fieldsOf({ stable_version_id, shares, sticky, applies_to, rollback }: RouteFields): RouteFields {
  return { stable_version_id, shares, sticky, applies_to, rollback };
}

/** A route as the audit trail keeps it: per cent instead of the slots of callers. */
function audited({ shares, ...route }: RouteRule): object {
  const { stable_version_id, sticky, applies_to, rollback } = route;
  return { stable_version_id, versions: weightsOf(shares), sticky, applies_to, rollback };
}

function asRow({ id, algorithm_id, revision, ...route }: RouteRule) {
  const { shares, ...fields } = fieldsOf(route);
  const copied = shares.map(({ version_id, slots }) => ({ version_id, slots: [...slots] }));
  return { id, algorithm_id, revision, ...fields, shares: copied };
}

export const ROUTE_STORE = token<RouteStore>('gateway:route-store');

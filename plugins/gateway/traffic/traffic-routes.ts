import {
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Author,
  type Clock,
  type Connection,
  type EventBus,
  type Logger,
  type Metrics,
  type Transaction,
} from '../../../core/index.ts';
import { undoIfAlgorithmWent, unlessMissing, type Catalogue } from '../../catalogue/contract.ts';
import { routeChanged } from '../contract.ts';
import { routeChanges } from '../metrics.ts';
import { RouteChangeRow, RouteRow, type Weight } from '../models.ts';
import { RouteConflict, TooManyRules } from '../problems.ts';
import {
  changeRule,
  lockedIn,
  RULES_CHANGED_TOPIC,
  type RuleChange,
  type RuleChangesDeps,
} from '../rules/rule-changes.ts';
import type { RulesQuery } from '../schemas.ts';
import type { RouteCalls } from './route-calls.ts';
import {
  canaryOf,
  missingRoute,
  refuseConflict,
  refuseDuplicates,
  requestedFields,
  unroutable,
} from './route-request.ts';
import type { PromoteOrder, RollbackOrder, Route, RouteDetail, RouteRequest } from './schemas.ts';
import { givenTo, rolesOf, weightsOf } from './shares.ts';
import type { RouteFields, RouteRule } from './version-route.ts';

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
} as const satisfies Record<RouteChangeRow['action'] | 'deleted', string>;

/** A change of a route: the action, its author and its reason, and the fields, which a deletion does not have. */
export interface RouteChange {
  readonly action: keyof typeof VERBS;
  readonly by: Author;
  readonly reason: string | null;
  readonly fields?: RouteFields;
}

/** The author of automatic changes. */
export const GATEWAY: Author = { kind: 'plugin', name: 'gateway' };

/** A change that was made, and the route after it, or before its deletion. */
interface MadeChange extends RuleChange {
  readonly change: RouteChange;
  readonly route: RouteRule;
}

export interface TrafficRoutesDeps extends RuleChangesDeps {
  readonly clock: Clock;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly calls: Pick<RouteCalls, 'sinceChange'>;
  readonly catalogue: Catalogue;
}

/** Manages routes and their history. The lock on the row of a route serialises its changes on all instances. */
export class TrafficRoutes {
  readonly #deps: TrafficRoutesDeps;

  constructor(deps: TrafficRoutesDeps) {
    this.#deps = deps;
  }

  async list({ skip, limit }: RulesQuery): Promise<{ routes: Route[]; total: number }> {
    const { results, total } = await RouteRow.query(this.#deps.database.knex)
      .orderBy('id', 'desc')
      .range(skip, skip + limit - 1);
    return { routes: results.map((route) => ({ ...route, versions: rolesOf(route) })), total };
  }

  /** The route of an algorithm; `undefined` where it has none. */
  of(algorithmId: string): Promise<RouteRow | undefined> {
    return rowOf(this.#deps.database.knex, algorithmId);
  }

  /** A route with its last changes, newest first, and the counts of its calls. Throws `RouteNotFound`. */
  async find(algorithmId: string): Promise<RouteDetail> {
    const { database, calls } = this.#deps;
    const route = await this.of(algorithmId);
    if (!route) throw missingRoute(algorithmId);
    const [counts, history] = await Promise.all([
      calls.sinceChange(route),
      RouteChangeRow.query(database.knex).where('route_id', route.id).orderBy('revision', 'desc'),
    ]);
    const none = { calls: 0, failed_calls: 0 };
    const versions = rolesOf(route).map((version) => ({
      ...version,
      ...(counts.get(version.version_id) ?? none),
    }));
    return { ...route, versions, history };
  }

  /** The fields of a route that no request changes; for an algorithm without a route only its id. */
  async fixed(algorithmId: string): Promise<Partial<Route>> {
    const route = await this.of(algorithmId);
    return { algorithm_id: algorithmId, ...(route && { id: route.id, created_at: route.created_at }) };
  }

  /** Creates or changes a route. Throws `AlgorithmNotFound`, `ValidationFailed`, `RouteConflict` or `TooManyRules`. */
  async set(by: Author, algorithmId: string, request: RouteRequest): Promise<RouteDetail> {
    const { catalogue } = this.#deps;
    await catalogue.algorithm(algorithmId);
    refuseDuplicates(request.versions);
    await this.#demandVersions(algorithmId, request.versions);
    const { version } = await catalogue.defaultCallable(algorithmId);
    await this.change(algorithmId, (route) => {
      refuseConflict(route, request.revision);
      const fields = requestedFields(request, route, version.id);
      return { action: 'set', by, reason: request.reason ?? null, fields };
    });
    await undoIfAlgorithmWent(catalogue, algorithmId, () =>
      this.change(
        algorithmId,
        (route) => route && { action: 'deleted', by: GATEWAY, reason: 'The algorithm was deleted.' },
      ),
    );
    return this.find(algorithmId);
  }

  /** Throws `RouteNotFound`. */
  async delete(by: Author, algorithmId: string): Promise<void> {
    await this.change(algorithmId, (route) => {
      if (!route) throw missingRoute(algorithmId);
      return { action: 'deleted', by, reason: null };
    });
  }

  /** Gives all callers to the stable version. Throws `RouteNotFound` or `RouteConflict`. */
  rollBack(by: Author, algorithmId: string, order: RollbackOrder): Promise<RouteDetail> {
    return this.#giveAll('rolled_back', by, algorithmId, order, (route) => route.stable_version_id);
  }

  /**
   * Gives all callers to a canary. The stable version does not change, so a rollback still leads to it. Throws
   * `RouteNotFound`, `RouteConflict`, `NoCanary`, or `ValidationFailed` when several canaries could be meant.
   */
  promote(by: Author, algorithmId: string, order: PromoteOrder): Promise<RouteDetail> {
    return this.#giveAll('promoted', by, algorithmId, order, (route) => canaryOf(route, order.version_id));
  }

  async #giveAll(
    action: RouteChange['action'],
    by: Author,
    algorithmId: string,
    { revision, reason = null }: RollbackOrder,
    versionOf: (route: RouteRule) => string,
  ): Promise<RouteDetail> {
    await this.change(algorithmId, (route) => {
      if (!route) throw missingRoute(algorithmId);
      refuseConflict(route, revision);
      const shares = givenTo(versionOf(route), route.shares, () => true);
      return { action, by, reason, fields: { ...route, shares } };
    });
    return this.find(algorithmId);
  }

  async #demandVersions(algorithmId: string, versions: readonly Weight[]): Promise<void> {
    for (const [index, { version_id: id }] of versions.entries()) {
      if (await unlessMissing(this.#deps.catalogue.version(algorithmId, id))) continue;
      throw unroutable(
        `versions/${index}/version_id`,
        `must be a version of the algorithm, and "${id}" is not`,
      );
    }
  }

  /**
   * Makes, changes or deletes the route of an algorithm as `decide` says, from its present state. Does nothing when `decide`
   * returns `undefined` or no difference. Throws what `decide` throws, `TooManyRules`, or `RouteConflict` when the algorithm
   * has just got a route.
   */
  async change(
    algorithmId: string,
    decide: (before: RouteRow | undefined) => RouteChange | undefined,
  ): Promise<void> {
    let made: MadeChange | undefined;
    try {
      made = await changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
        const before = await rowOf(trx, algorithmId);
        const change = decide(before);
        return change && this.#make(trx, algorithmId, before, change);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw RouteConflict('A route for this algorithm has just been made. Read it first.');
    }
    if (made) this.#announce(made);
  }

  async #make(
    trx: Transaction,
    algorithmId: string,
    before: RouteRow | undefined,
    change: RouteChange,
  ): Promise<MadeChange | undefined> {
    const fields = change.fields && fieldsOf(change.fields);
    if (before && fields && !before.differsFrom(fields)) return undefined;
    const { id, revision } = before ?? { id: newId(), revision: 0 };
    const after = fields && { id, algorithm_id: algorithmId, ...fields, revision: revision + 1 };
    if (after) await this.#write(trx, before, after, change);
    else await deleteRoute(trx, id);
    const { by, action, reason } = change;
    return {
      by,
      action: `gateway_route.${VERBS[action]}`,
      target: { kind: 'gateway_route', id: algorithmId },
      before: before && audited(before),
      after: after && { ...audited(after), ...(reason !== null && { reason }) },
      change,
      route: (after ?? before)!,
    };
  }

  async #write(
    trx: Transaction,
    before: RouteRow | undefined,
    after: RouteRule,
    change: RouteChange,
  ): Promise<void> {
    const now = isoTime(this.#deps.clock.now());
    if (before) {
      await RouteRow.query(trx)
        .findById(after.id)
        .patch({ ...after, updated_at: now });
    } else {
      if ((await RouteRow.query(trx).resultSize()) >= MOST_ROUTES) {
        throw TooManyRules(`There are ${MOST_ROUTES} routes. Delete those that are not needed.`);
      }
      await RouteRow.query(trx).insert({ ...after, created_at: now, updated_at: now });
    }
    await RouteChangeRow.query(trx).insert({
      route_id: after.id,
      revision: after.revision,
      action: change.action as RouteChangeRow['action'],
      changed_by: change.by.user_id ?? null,
      reason: change.reason,
      stable_version_id: after.stable_version_id,
      versions: weightsOf(after.shares),
      changed_at: now,
    });
    await RouteChangeRow.query(trx)
      .delete()
      .where('route_id', after.id)
      .where('revision', '<=', after.revision - MOST_CHANGES);
  }

  /** Logs and counts the change and emits its event, after the commit. */
  #announce({ change: { action, by, reason }, route }: MadeChange): void {
    const { events, metrics, logger } = this.#deps;
    const { algorithm_id, stable_version_id, shares } = route;
    const versions = weightsOf(shares);
    const changed_by = by.user_id ?? null;
    const fact = { algorithm_id, action, changed_by, reason, stable_version_id, versions };
    metrics.counter(routeChanges.name).labels(action).inc();
    if (action === 'taken_back') logger.warn(fact, 'A canary failed and was taken back.');
    else logger.info(fact, 'The route of an algorithm changed.');
    events.emit(routeChanged, fact);
  }
}

async function rowOf(connection: Connection, algorithmId: string): Promise<RouteRow | undefined> {
  if (!isId(algorithmId)) return undefined;
  return lockedIn(connection, RouteRow.query(connection).findOne('algorithm_id', algorithmId));
}

function fieldsOf({ stable_version_id, shares, sticky, applies_to, rollback }: RouteFields): RouteFields {
  return { stable_version_id, shares, sticky, applies_to, rollback };
}

async function deleteRoute(trx: Transaction, id: string): Promise<void> {
  await RouteChangeRow.query(trx).delete().where('route_id', id);
  await RouteRow.query(trx).deleteById(id);
}

/** A route as the audit trail keeps it: per cent instead of the slots of callers. */
function audited({ shares, stable_version_id, sticky, applies_to, rollback }: RouteRule): object {
  return { stable_version_id, versions: weightsOf(shares), sticky, applies_to, rollback };
}

export const TRAFFIC_ROUTES = token<TrafficRoutes>('gateway:routes');

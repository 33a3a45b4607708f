import { token, type Author } from '../../../core/index.ts';
import { unlessMissing, type Catalogue } from '../../catalogue/contract.ts';
import type { Weight } from '../models.ts';
import { NoCanary, RouteConflict, RouteNotFound } from '../problems.ts';
import type { RulesQuery } from '../schemas.ts';
import type { RouteRule } from './version-route.ts';
import type { RouteCalls } from './route-calls.ts';
import type { RouteChange, RouteStore } from './route-store.ts';
import { refuseDuplicates, requestedFields, unroutable } from './route-request.ts';
import type { PromoteOrder, RollbackOrder, Route, RouteDetail, RouteRequest } from './schemas.ts';
import { givenTo, weightsOf } from './shares.ts';

export interface RouteManagerDeps {
  readonly store: RouteStore;
  readonly calls: RouteCalls;
  readonly catalogue: Catalogue;
}

/** Manages routes for administrators. */
export class RouteManager {
  readonly #deps: RouteManagerDeps;

  constructor(deps: RouteManagerDeps) {
    this.#deps = deps;
  }

  async list({ skip, limit }: RulesQuery): Promise<{ routes: Route[]; total: number }> {
    const { routes, total } = await this.#deps.store.list(skip, limit);
    return { routes: routes.map((route) => ({ ...route, versions: rolesOf(route) })), total };
  }

  /** A route with its history and the counts of its calls. Throws `RouteNotFound`. */
  async find(algorithmId: string): Promise<RouteDetail> {
    const { store, calls } = this.#deps;
    const route = await store.find(algorithmId);
    if (!route) throw missing(algorithmId);
    const [counts, history] = await Promise.all([calls.sinceChange(route), store.history(route)]);
    const none = { calls: 0, failed_calls: 0 };
    const versions = rolesOf(route).map((version) => ({
      ...version,
      ...(counts.get(version.version_id) ?? none),
    }));
    return { ...route, versions, history };
  }

  /** The fields of a route that no request changes; for an algorithm without a route only its id. */
  async fixed(algorithmId: string): Promise<Partial<Route>> {
    const route = await this.#deps.store.find(algorithmId);
    return { algorithm_id: algorithmId, ...(route && { id: route.id, created_at: route.created_at }) };
  }

  /** Creates or changes a route. Throws `AlgorithmNotFound`, `ValidationFailed`, `RouteConflict` or `TooManyRules`. */
  async set(by: Author, algorithmId: string, request: RouteRequest): Promise<RouteDetail> {
    const { store, catalogue } = this.#deps;
    await catalogue.algorithm(algorithmId);
    refuseDuplicates(request.versions);
    await this.#demandVersions(algorithmId, request.versions);
    const { version } = await catalogue.defaultCallable(algorithmId);
    await store.change(algorithmId, (route) => {
      refuseConflict(route, request.revision);
      const fields = requestedFields(request, route, version.id);
      return { action: 'set', by, reason: request.reason ?? null, fields };
    });
    return this.find(algorithmId);
  }

  /** Throws `RouteNotFound`. */
  async delete(by: Author, algorithmId: string): Promise<void> {
    await this.#deps.store.change(algorithmId, (route) => {
      if (!route) throw missing(algorithmId);
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
    await this.#deps.store.change(algorithmId, (route) => {
      if (!route) throw missing(algorithmId);
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
}

function rolesOf({ shares, stable_version_id }: RouteRule): Route['versions'] {
  return weightsOf(shares).map((weight) => ({
    ...weight,
    role: weight.version_id === stable_version_id ? 'stable' : 'canary',
  }));
}

function canaryOf({ shares, stable_version_id }: RouteRule, wanted: string | undefined): string {
  const canaries = shares.map(({ version_id }) => version_id).filter((id) => id !== stable_version_id);
  if (canaries.length === 0) throw NoCanary('The route has the stable version alone.');
  if (wanted === undefined && canaries.length === 1) return canaries[0]!;
  if (wanted !== undefined && canaries.includes(wanted)) return wanted;
  throw unroutable('version_id', `must be one of the canaries of the route: ${canaries.join(', ')}`);
}

function refuseConflict(route: RouteRule | undefined, revision: number | undefined): void {
  if (revision === undefined || revision === route?.revision) return;
  if (!route) throw RouteConflict('The route was deleted meanwhile.');
  throw RouteConflict(
    `The route is at revision ${route.revision}, not ${revision}. Read it, and decide again.`,
  );
}

function missing(algorithmId: string): Error {
  return RouteNotFound(`The gateway has no route for the algorithm "${algorithmId}".`);
}

export const ROUTE_MANAGER = token<RouteManager>('gateway:route-manager');

import { token, type Author } from '../../../core/index.ts';
import { VersionNotFound, type Catalogue } from '../../catalogue/contract.ts';
import { NoCanary, RouteConflict, RouteNotFound } from '../problems.ts';
import type { RulesQuery } from '../schemas.ts';
import type { RouteRule } from './version-route.ts';
import type { RouteCalls } from './route-calls.ts';
import type { RouteChange, RouteStore, StoredRoute } from './route-store.ts';
import { refuseDuplicates, requestedFields, unroutable } from './route-request.ts';
import type { PromoteOrder, RollbackOrder, Route, RouteDetail, RouteRequest } from './schemas.ts';
import { SLOTS, sharedOut, weightsOf, type Weight } from './shares.ts';

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
    const entry = { action: 'set', by, reason: request.reason ?? null } as const;
    const exists = await store.change(algorithmId, (route) => {
      refuseConflict(route, request.revision);
      return { ...entry, fields: requestedFields(request, route, undefined) };
    });
    if (!exists) {
      if (request.revision !== undefined) throw RouteConflict('The route was deleted meanwhile.');
      const { version } = await catalogue.defaultCallable(algorithmId);
      const fields = requestedFields(request, undefined, version.id);
      await store.create(algorithmId, { ...entry, fields });
    }
    return this.find(algorithmId);
  }

  /** Throws `RouteNotFound`. */
  async delete(by: Author, algorithmId: string): Promise<void> {
    const existed = await this.#deps.store.delete(algorithmId, { by, reason: null });
    if (!existed) throw missing(algorithmId);
  }

  /** Gives all callers to the stable version. Throws `RouteNotFound` or `RouteConflict`. */
  async rollBack(by: Author, algorithmId: string, order: RollbackOrder): Promise<RouteDetail> {
    return this.#change(algorithmId, order.revision, (route) => ({
      action: 'rolled_back',
      by,
      reason: order.reason ?? null,
      fields: { ...route, shares: everythingTo(route.stable_version_id, route) },
    }));
  }

  /**
   * Gives all callers to a canary. The stable version does not change, so a rollback still leads to it. Throws
   * `RouteNotFound`, `RouteConflict`, `NoCanary`, or `ValidationFailed` when several canaries could be meant.
   */
  async promote(by: Author, algorithmId: string, order: PromoteOrder): Promise<RouteDetail> {
    return this.#change(algorithmId, order.revision, (route) => ({
      action: 'promoted',
      by,
      reason: order.reason ?? null,
      fields: { ...route, shares: everythingTo(canaryOf(route, order.version_id), route) },
    }));
  }

  async #change(
    algorithmId: string,
    revision: number | undefined,
    decide: (route: RouteRule) => RouteChange,
  ): Promise<RouteDetail> {
    const exists = await this.#deps.store.change(algorithmId, (route) => {
      refuseConflict(route, revision);
      return decide(route);
    });
    if (!exists) throw missing(algorithmId);
    return this.find(algorithmId);
  }

  async #demandVersions(algorithmId: string, versions: readonly Weight[]): Promise<void> {
    for (const [index, { version_id: id }] of versions.entries()) {
      try {
        await this.#deps.catalogue.version(algorithmId, id);
      } catch (error) {
        if (!VersionNotFound.is(error)) throw error;
        throw unroutable(
          `versions/${index}/version_id`,
          `must be a version of the algorithm, and "${id}" is not`,
        );
      }
    }
  }
}

function rolesOf({ shares, stable_version_id }: StoredRoute): Route['versions'] {
  return weightsOf(shares).map((weight) => ({
    ...weight,
    role: weight.version_id === stable_version_id ? 'stable' : 'canary',
  }));
}

function everythingTo(versionId: string, { shares, stable_version_id }: RouteRule): RouteRule['shares'] {
  const weights = shares.map(({ version_id }) => ({
    version_id,
    percent: version_id === versionId ? SLOTS : 0,
  }));
  return sharedOut(weights, stable_version_id, shares);
}

function canaryOf({ shares, stable_version_id }: RouteRule, wanted: string | undefined): string {
  const canaries = shares.map(({ version_id }) => version_id).filter((id) => id !== stable_version_id);
  if (canaries.length === 0) throw NoCanary('The route has the stable version alone.');
  if (wanted === undefined && canaries.length === 1) return canaries[0]!;
  if (wanted !== undefined && canaries.includes(wanted)) return wanted;
  throw unroutable('version_id', `must be one of the canaries of the route: ${canaries.join(', ')}`);
}

function refuseConflict(route: RouteRule, revision: number | undefined): void {
  if (revision === undefined || revision === route.revision) return;
  throw RouteConflict(
    `The route is at revision ${route.revision}, not ${revision}. Read it, and decide again.`,
  );
}

function missing(algorithmId: string): Error {
  return RouteNotFound(`The gateway has no route for the algorithm "${algorithmId}".`);
}

export const ROUTE_MANAGER = token<RouteManager>('gateway:route-manager');

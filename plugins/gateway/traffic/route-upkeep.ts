import { token, type Author } from '../../../core/index.ts';
import { AlgorithmNotFound, VersionNotFound, type Catalogue } from '../../catalogue/contract.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RouteRule } from './version-route.ts';
import type { RouteChange, RouteStore } from './route-store.ts';
import { sharedOut, weightsOf, type Weight } from './shares.ts';

/** The author of automatic changes. */
const GATEWAY: Author = { kind: 'plugin', name: 'gateway' };

export interface RouteUpkeepDeps {
  readonly store: RouteStore;
  readonly catalogue: Catalogue;
  readonly rules: RuleCache;
}

/** Changes routes automatically: when a canary fails too often, and when an algorithm or version is deleted. */
export class RouteUpkeep {
  readonly #deps: RouteUpkeepDeps;

  constructor(deps: RouteUpkeepDeps) {
    this.#deps = deps;
  }

  /** Gives the share of a canary to the stable version, unless the route has changed since the judgement. */
  async takeBack(judged: RouteRule, versionId: string, reason: string): Promise<void> {
    await this.#deps.store.change(judged.algorithm_id, (route) => {
      if (route.id !== judged.id || route.revision !== judged.revision) return undefined;
      const weights = weightsOf(route.shares).map(({ version_id, percent }) =>
        version_id === versionId ? { version_id, percent: 0 } : { version_id, percent },
      );
      return automatic('taken_back', reason, route, weights, route.stable_version_id);
    });
  }

  /** Updates the route of an algorithm, if it has one, after a change of the algorithm or its versions. */
  async algorithmChanged(algorithmId: string): Promise<void> {
    const book = await this.#deps.rules.current();
    if (book.routeOf(algorithmId)) await this.leaveOutDeleted(algorithmId);
  }

  /**
   * Removes deleted versions from a route and gives their shares to the stable version. When the stable version was
   * deleted, the version with the largest share becomes stable. Deletes a route without versions, and that of a deleted
   * algorithm. Returns the new route, which the cached rules get only with the invalidation.
   */
  async leaveOutDeleted(algorithmId: string): Promise<RouteRule | undefined> {
    const { store } = this.#deps;
    const route = await store.find(algorithmId);
    if (!route) return undefined;
    const named = route.shares.map(({ version_id }) => version_id);
    const isDeleted = await Promise.all(named.map((id) => this.#isDeleted(algorithmId, id)));
    const deleted = named.filter((_, index) => isDeleted[index]);
    if (deleted.length === 0) return route;
    const reason = `Deleted: ${deleted.join(', ')}.`;
    if (deleted.length < named.length) {
      await store.change(algorithmId, (current) => without(deleted, current, reason));
    } else {
      await store.delete(algorithmId, { by: GATEWAY, reason }, route.revision);
    }
    return store.find(algorithmId);
  }

  async #isDeleted(algorithmId: string, versionId: string): Promise<boolean> {
    try {
      await this.#deps.catalogue.version(algorithmId, versionId);
      return false;
    } catch (error) {
      if (AlgorithmNotFound.is(error) || VersionNotFound.is(error)) return true;
      throw error;
    }
  }
}

function without(deleted: readonly string[], route: RouteRule, reason: string): RouteChange | undefined {
  const left = weightsOf(route.shares).filter(({ version_id }) => !deleted.includes(version_id));
  const largest = left.toSorted((one, other) => other.percent - one.percent)[0];
  if (!largest) return undefined;
  const hasStable = left.some(({ version_id }) => version_id === route.stable_version_id);
  const stable = hasStable ? route.stable_version_id : largest.version_id;
  return automatic('version_deleted', reason, route, left, stable);
}

/** An automatic change that gives the stable version the shares that the others do not have. */
function automatic(
  action: RouteChange['action'],
  reason: string,
  route: RouteRule,
  weights: readonly Weight[],
  stable: string,
): RouteChange {
  const rest = 100 - weights.reduce((sum, { percent }) => sum + percent, 0);
  const all = weights.map(({ version_id, percent }) => ({
    version_id,
    percent: version_id === stable ? percent + rest : percent,
  }));
  const shares = sharedOut(all, stable, route.shares);
  return { action, by: GATEWAY, reason, fields: { ...route, stable_version_id: stable, shares } };
}

export const ROUTE_UPKEEP = token<RouteUpkeep>('gateway:route-upkeep');

import { token, type Author } from '../../../core/index.ts';
import { AlgorithmNotFound, VersionNotFound, type Catalogue } from '../../catalogue/contract.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RouteRule } from './version-route.ts';
import type { RouteChange, RouteStore } from './route-store.ts';
import { givenTo } from './shares.ts';

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
      if (route?.id !== judged.id || route.revision !== judged.revision) return undefined;
      const shares = givenTo(route.stable_version_id, route.shares, (id) => id === versionId);
      return { action: 'taken_back', by: GATEWAY, reason, fields: { ...route, shares } };
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
    await store.change(algorithmId, (current) => current && without(deleted, current));
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

function without(deleted: readonly string[], route: RouteRule): RouteChange {
  const reason = `Deleted: ${deleted.join(', ')}.`;
  const left = route.shares.filter(({ version_id }) => !deleted.includes(version_id));
  const largest = left.toSorted((one, other) => other.slots.length - one.slots.length)[0];
  if (!largest) return { action: 'deleted', by: GATEWAY, reason };
  const stable = left.find(({ version_id }) => version_id === route.stable_version_id) ?? largest;
  const { version_id: stable_version_id } = stable;
  const shares = givenTo(stable_version_id, route.shares, (id) => deleted.includes(id)).filter(
    ({ version_id }) => !deleted.includes(version_id),
  );
  return { action: 'version_deleted', by: GATEWAY, reason, fields: { ...route, stable_version_id, shares } };
}

export const ROUTE_UPKEEP = token<RouteUpkeep>('gateway:route-upkeep');

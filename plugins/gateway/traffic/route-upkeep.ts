import { token } from '../../../core/index.ts';
import { unlessMissing, type Catalogue } from '../../catalogue/contract.ts';
import type { VersionCircuits } from '../circuits/version-circuits.ts';
import type { RollbackRule } from '../models.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RouteRule } from './version-route.ts';
import type { CallCounts, RouteCalls } from './route-calls.ts';
import { GATEWAY, type RouteChange, type TrafficRoutes } from './traffic-routes.ts';
import { givenTo } from './shares.ts';

export interface RouteUpkeepDeps {
  readonly routes: TrafficRoutes;
  readonly catalogue: Catalogue;
  readonly rules: RuleCache;
  readonly circuits: VersionCircuits;
  readonly calls: RouteCalls;
}

/** Changes routes automatically: when a canary fails too often, and when an algorithm or version is deleted. */
export class RouteUpkeep {
  readonly #deps: RouteUpkeepDeps;

  constructor(deps: RouteUpkeepDeps) {
    this.#deps = deps;
  }

  /**
   * Judges the version of a failed call whose record is durable, by the counts of all instances together. A canary that fails
   * too often gives its share to the stable version, unless the route has changed since.
   */
  async callFailed(algorithmId: string, versionId: string): Promise<void> {
    const { rules, circuits, calls, routes } = this.#deps;
    const route = (await rules.current()).routeOf(algorithmId);
    const rule = route?.rollbackRuleOf(versionId);
    if (!route || !rule) return;
    const { id, revision } = route.rule;
    const counts = await calls.within(rule, route.rule, versionId);
    const isOpen = circuits.refusesUntil(versionId) !== undefined;
    if (!isTooMuch(counts, rule, isOpen)) return;
    const reason = reasonOf(versionId, counts, rule, isOpen);
    await routes.change(algorithmId, (now) => {
      if (now?.id !== id || now.revision !== revision) return undefined;
      const shares = givenTo(now.stable_version_id, now.shares, (giver) => giver === versionId);
      return { action: 'taken_back', by: GATEWAY, reason, fields: { ...now, shares } };
    });
  }

  /**
   * Removes deleted versions from a route and gives their shares to the stable version. When the stable version was
   * deleted, the version with the largest share becomes stable. Deletes a route without versions, and that of a deleted
   * algorithm. Returns the new route, which the cached rules get only with the invalidation.
   */
  async leaveOutDeleted(algorithmId: string): Promise<RouteRule | undefined> {
    const { routes, catalogue } = this.#deps;
    const route = await routes.of(algorithmId);
    if (!route) return undefined;
    const named = route.shares.map(({ version_id }) => version_id);
    const found = await Promise.all(named.map((id) => unlessMissing(catalogue.version(algorithmId, id))));
    const deleted = named.filter((_, index) => !found[index]);
    if (deleted.length === 0) return route;
    await routes.change(algorithmId, (current) => current && without(deleted, current));
    return routes.of(algorithmId);
  }
}

/** An open circuit keeps calls from the canary, so the minimum number of calls does not apply then. */
function isTooMuch({ calls, failed_calls }: CallCounts, rule: RollbackRule, isOpen: boolean): boolean {
  if (calls < rule.min_calls && !isOpen) return false;
  return failed_calls * 100 > rule.max_failure_percent * calls;
}

function reasonOf(
  versionId: string,
  { calls, failed_calls }: CallCounts,
  { window_s, max_failure_percent }: RollbackRule,
  isOpen: boolean,
): string {
  const failed = `${failed_calls} of ${calls} calls of the version ${versionId} failed within ${window_s} s`;
  const open = isOpen ? ', and its circuit is open' : '';
  return `${failed}; ${max_failure_percent} % may${open}.`;
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

import { token } from '../../../core/index.ts';
import type { VersionCircuits } from '../circuits/version-circuits.ts';
import type { RollbackRule } from '../models.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { CallCounts, RouteCalls } from './route-calls.ts';
import type { RouteUpkeep } from './route-upkeep.ts';

export interface CanaryWatchDeps {
  readonly rules: RuleCache;
  readonly circuits: VersionCircuits;
  readonly calls: RouteCalls;
  readonly upkeep: RouteUpkeep;
}

/** Takes back canaries that fail too often, by the counts of all instances together. */
export class CanaryWatch {
  readonly #deps: CanaryWatchDeps;

  constructor(deps: CanaryWatchDeps) {
    this.#deps = deps;
  }

  /** Judges the version of a failed call whose record is durable. A failed judgement is made up for by the next failure. */
  async callFailed(algorithmId: string, versionId: string): Promise<void> {
    const { rules, circuits, calls, upkeep } = this.#deps;
    const route = (await rules.current()).routeOf(algorithmId);
    const rule = route?.rollbackRuleOf(versionId);
    if (!route || !rule) return;
    const counts = await calls.within(rule, route.rule, versionId);
    const isOpen = circuits.refusesUntil(versionId) !== undefined;
    if (!isTooMuch(counts, rule, isOpen)) return;
    await upkeep.takeBack(route.rule, versionId, reasonOf(versionId, counts, rule, isOpen));
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

export const CANARY_WATCH = token<CanaryWatch>('gateway:canary-watch');

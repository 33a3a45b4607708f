import { token, type Logger } from '../../../core/index.ts';
import type { VersionCircuits } from '../circuits/version-circuits.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RollbackRule } from './version-route.ts';
import type { CallCounts, RouteCalls } from './route-calls.ts';
import type { RouteUpkeep } from './route-upkeep.ts';

export interface CanaryWatchDeps {
  readonly rules: RuleCache;
  readonly circuits: VersionCircuits;
  readonly calls: RouteCalls;
  readonly upkeep: RouteUpkeep;
  readonly logger: Logger;
}

/**
 * Takes back canaries that fail too often. It judges a canary after each failed call, once the record is durable, by
 * the counts of all instances together. Failures that arrive during a judgement are judged together by the next one.
 */
export class CanaryWatch {
  readonly #deps: CanaryWatchDeps;
  /** Versions with failures to judge, and their algorithms. */
  readonly #pending = new Map<string, string>();
  #judging: Promise<void> | undefined;

  constructor(deps: CanaryWatchDeps) {
    this.#deps = deps;
  }

  /** Call this when the record of a failed call is durable. */
  callFailed(algorithmId: string, versionId: string): void {
    if (!this.#deps.rules.lastRead?.routeOf(algorithmId)?.rollbackRuleOf(versionId)) return;
    this.#pending.set(versionId, algorithmId);
    this.#judging ??= this.#judgeAll().finally(() => (this.#judging = undefined));
  }

  /** Resolves when all failures are judged. */
  async idle(): Promise<void> {
    await this.#judging;
  }

  async #judgeAll(): Promise<void> {
    for (const [versionId, algorithmId] of this.#pending) {
      this.#pending.delete(versionId);
      try {
        await this.#judge(algorithmId, versionId);
      } catch (error) {
        const message = 'A canary could not be judged; it is judged again at its next failure.';
        this.#deps.logger.warn({ err: error, version_id: versionId }, message);
      }
    }
  }

  async #judge(algorithmId: string, versionId: string): Promise<void> {
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

import { token, type Logger } from '../../../core/index.ts';
import { isGivenUp, type CallContext, type CallErrorCode } from '../../invocation/contract.ts';
import type { VersionCircuits } from '../circuits/version-circuits.ts';
import type { KnownRules } from '../rules/known-rules.ts';
import type { KnownRoute, RollbackRule } from './known-route.ts';
import type { CallCounts, RouteCalls } from './route-calls.ts';
import type { RouteUpkeep } from './route-upkeep.ts';

/** A canary whose call failed. */
interface Suspect {
  readonly algorithmId: string;
  readonly versionId: string;
}

interface Judgement {
  /** Whether another call failed since it began. */
  due: boolean;
  done: Promise<void>;
}

export interface CanaryWatchDeps {
  readonly rules: KnownRules;
  readonly circuits: VersionCircuits;
  readonly calls: RouteCalls;
  readonly upkeep: RouteUpkeep;
  readonly logger: Logger;
}

/**
 * Takes canaries back that fail too often. Judged after each failed call of a canary, when its record is durable, by the
 * counts of all instances together; many failures at once are judged together.
 */
export class CanaryWatch {
  readonly #deps: CanaryWatchDeps;
  readonly #suspects = new WeakMap<CallContext, Suspect>();
  /** By version, while one is under way. */
  readonly #judging = new Map<string, Judgement>();

  constructor(deps: CanaryWatchDeps) {
    this.#deps = deps;
  }

  /** The endpoint of a version failed a call; its record is not durable yet. */
  failed(context: CallContext, route: KnownRoute | undefined, versionId: string, code: CallErrorCode): void {
    if (isGivenUp(code) || !route?.rollbackRuleOf(versionId)) return;
    this.#suspects.set(context, { algorithmId: route.rule.algorithm_id, versionId });
  }

  /** The record of a call is durable. */
  recorded(context: CallContext): void {
    const suspect = this.#suspects.get(context);
    if (suspect) this.#judgeSoon(suspect);
  }

  /** Resolves when nothing is being judged. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#judging.values(), ({ done }) => done));
  }

  #judgeSoon(suspect: Suspect): void {
    const underWay = this.#judging.get(suspect.versionId);
    if (underWay) {
      underWay.due = true;
      return;
    }
    const judgement = { due: true, done: Promise.resolve() };
    this.#judging.set(suspect.versionId, judgement);
    judgement.done = this.#judgeWhileDue(suspect, judgement);
  }

  async #judgeWhileDue(suspect: Suspect, judgement: Judgement): Promise<void> {
    try {
      while (judgement.due) {
        judgement.due = false;
        await this.#judge(suspect);
      }
    } catch (error) {
      const about = { err: error, version_id: suspect.versionId };
      this.#deps.logger.warn(about, 'A canary could not be judged; after its next failure it is.');
    } finally {
      this.#judging.delete(suspect.versionId);
    }
  }

  async #judge({ algorithmId, versionId }: Suspect): Promise<void> {
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

/** While its circuit is open a canary gets no calls, so that those which it had must do. */
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

import { isoTime, token, type Clock, type Problem, type UserPrincipal } from '../../core/index.ts';
import { unlessMissing, VersionNotFound, type Catalogue } from '../catalogue/contract.ts';
import { DEFAULT_VERSION, type Invoker } from '../invocation/contract.ts';
import type { VersionCircuits } from './circuits/version-circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { Allowances, NamedLimit } from './limits/allowances.ts';
import { dryRunCaller, refusalOf } from './dry-run-caller.ts';
import type { RuleCache } from './rules/rule-cache.ts';
import type { BlockRule, RuleBook } from './rules/rule-book.ts';
import type { RuleSubjects } from './rules/rule-subjects.ts';
import type { CheckAnswer, CheckRequest } from './schemas.ts';
import { reasonOf, type Choice, type Routing } from './traffic/routing.ts';

export interface DryRunDeps {
  readonly subjects: RuleSubjects;
  readonly rules: RuleCache;
  readonly routing: Routing;
  readonly invoker: Pick<Invoker, 'check'>;
  readonly catalogue: Pick<Catalogue, 'callableByVersion'>;
  readonly allowances: Allowances;
  readonly circuits: VersionCircuits;
  readonly concurrency: Concurrency;
  readonly clock: Clock;
}

type Verdict = Omit<CheckAnswer, 'limits' | 'chosen'>;
type CheckedLimit = CheckAnswer['limits'][number];

const ALLOWED: Verdict = { allowed: true, code: null, reason: null, rule: null, clears_at: null };

/** Predicts what a call would meet, without making or counting it. */
export class DryRun {
  readonly #deps: DryRunDeps;

  constructor(deps: DryRunDeps) {
    this.#deps = deps;
  }

  /**
   * Judges in the order of a call. Throws `Forbidden` or `ValidationFailed` when the request names a caller that the
   * principal may not name.
   */
  async check(principal: UserPrincipal, address: string, request: CheckRequest): Promise<CheckAnswer> {
    const { subjects, rules, routing, clock } = this.#deps;
    const judged = await dryRunCaller(subjects, principal, address, request);
    const { version_id: named } = request;
    const algorithmId = request.algorithm_id ?? (await this.#algorithmOf(judged.principal, named));
    const caller = { ...judged.caller, algorithmId: algorithmId ?? '' };
    const book = await rules.current();
    const choice = await routing.choose(book.routeOf(caller.algorithmId), caller, named ?? DEFAULT_VERSION);
    const versionId = choice?.versionId ?? named;
    const refusal = await this.#refusalOf(judged.principal, algorithmId, versionId);
    // Nothing is said about an algorithm that does not exist for the caller.
    const isKnown = refusal?.status !== 404;
    const limits = await Promise.all(
      (isKnown ? book.limitsOf(caller) : book.limitsOfCaller(caller)).map((limit) => this.#checked(limit)),
    );
    const verdict =
      refused(judged.refusal) ??
      blocked(book.blockOfCaller(caller, clock.now())) ??
      rateLimited(limits.filter(({ name }) => name !== 'algorithm')) ??
      refused(refusal) ??
      blocked(book.blockOfAlgorithm(caller.algorithmId, clock.now())) ??
      rateLimited(limits) ??
      this.#circuitOpen(named === undefined ? undefined : versionId) ??
      this.#full(book, caller.algorithmId, versionId) ??
      ALLOWED;
    return {
      ...verdict,
      limits,
      ...(choice && isKnown && named !== undefined ? { chosen: shownChoice(choice) } : {}),
    };
  }

  /** The algorithm of a version that is named alone; `undefined` when it does not exist for the caller. */
  async #algorithmOf(principal: UserPrincipal, versionId: string | undefined): Promise<string | undefined> {
    if (versionId === undefined || versionId === DEFAULT_VERSION) return undefined;
    const found = await unlessMissing(this.#deps.catalogue.callableByVersion(versionId, principal));
    return found?.algorithm.id;
  }

  async #checked({ name, policyId, ...limit }: NamedLimit): Promise<CheckedLimit> {
    const { allowances, clock } = this.#deps;
    const { remaining, resetMs, running } = await allowances.peek(limit);
    const resets_at = running ? isoTime(clock.now() + resetMs) : null;
    const { requests, windowS: window_s } = limit;
    return { name, policy_id: policyId, limit: requests, window_s, remaining, resets_at };
  }

  /** The refusal that a call of the version would meet before params and input are checked. */
  async #refusalOf(
    principal: UserPrincipal,
    algorithmId: string | undefined,
    versionId: string | undefined,
  ): Promise<Problem | undefined> {
    const { invoker, catalogue } = this.#deps;
    if (algorithmId === undefined) {
      const isNamed = versionId !== undefined && versionId !== DEFAULT_VERSION;
      return isNamed ? refusalOf(catalogue.callableByVersion(versionId, principal)) : undefined;
    }
    const refusal = await refusalOf(invoker.check(principal, algorithmId, versionId ?? DEFAULT_VERSION));
    // A question that names no version is about the algorithm, whether it has versions or not.
    return versionId === undefined && VersionNotFound.is(refusal) ? undefined : refusal;
  }

  #circuitOpen(versionId: string | undefined): Verdict | undefined {
    const { circuits } = this.#deps;
    const until = versionId === undefined ? undefined : circuits.refusesUntil(versionId);
    if (until === undefined || versionId === undefined) return undefined;
    const reason = `${circuits.reasonOf(versionId)}.`;
    return verdict('circuit_open', reason, { kind: 'circuit', id: versionId }, isoTime(until));
  }

  /** The verdict when a limit of concurrency would refuse the call now. */
  #full(book: RuleBook, algorithmId: string, versionId = ''): Verdict | undefined {
    const policy = book.concurrencyPolicyOf(algorithmId);
    const called = { algorithm: { id: algorithmId }, version: { id: versionId } };
    if (!this.#deps.concurrency.isFull(called, policy?.concurrency)) return undefined;
    const what = policy ? 'algorithm' : 'version';
    const reason = `As many calls of the ${what} as allowed are under way, and the queue is full.`;
    return verdict('concurrency_limited', reason, sourceOf(policy?.id ?? null), null);
  }
}

function verdict(
  code: string,
  reason: string,
  rule: Verdict['rule'],
  clears_at: Verdict['clears_at'],
): Verdict {
  return { allowed: false, code, reason, rule, clears_at };
}

/** The policy that sets a limit; null for the settings. */
function sourceOf(policyId: string | null): Verdict['rule'] {
  return { kind: policyId === null ? 'setting' : 'policy', id: policyId };
}

function refused(problem: Problem | undefined): Verdict | undefined {
  return problem && verdict(problem.code, problem.message, null, null);
}

function blocked(rule: BlockRule | undefined): Verdict | undefined {
  return rule && verdict('blocked', rule.reason, { kind: 'block', id: rule.id }, rule.until);
}

function rateLimited(limits: readonly CheckedLimit[]): Verdict | undefined {
  const used = limits.find(({ remaining }) => remaining === 0);
  if (!used) return undefined;
  const { name, policy_id, limit, window_s, resets_at } = used;
  const reason = `The limit "${name}" of ${limit} requests in ${window_s} s is used up.`;
  return verdict('rate_limited', reason, sourceOf(policy_id), resets_at);
}

function shownChoice(choice: Choice): NonNullable<CheckAnswer['chosen']> {
  const { route, versionId } = choice;
  return { version_id: versionId, role: route?.roleOf(versionId) ?? null, reason: reasonOf(choice) };
}

export const DRY_RUN = token<DryRun>('gateway:dry-run');

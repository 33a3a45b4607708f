import { isoTime, Problem, token, type Clock, type UserPrincipal } from '../../core/index.ts';
import type { VersionCircuits } from './circuits/version-circuits.ts';
import type { Concurrency } from './concurrency.ts';
import type { Allowances, Grant } from './limits/allowances.ts';
import { dryRunCaller } from './dry-run-caller.ts';
import type { Caller } from './rules/caller.ts';
import type { RuleCache } from './rules/rule-cache.ts';
import type { NamedLimit, RuleBook } from './rules/rule-book.ts';
import type { RuleSubjects } from './rules/rule-subjects.ts';
import type { CheckAnswer, CheckRequest } from './schemas.ts';
import { reasonOf, type Choice, type Routing } from './traffic/routing.ts';
import { DEFAULT_VERSION } from './traffic/version-route.ts';

export interface DryRunDeps {
  readonly subjects: RuleSubjects;
  readonly rules: RuleCache;
  readonly routing: Routing;
  readonly allowances: Allowances;
  readonly circuits: VersionCircuits;
  readonly concurrency: Concurrency;
  readonly clock: Clock;
}

type Verdict = Omit<CheckAnswer, 'limits' | 'chosen'>;
type PeekedLimit = {
  readonly limit: NamedLimit;
  readonly grant: Grant & { readonly running: boolean };
  /** When the window ends. */
  readonly resetsAt: string;
};

const ALLOWED: Verdict = { allowed: true, code: null, reason: null, rule: null, clears_at: null };

/** Predicts which rule of the gateway would decide a call, without making or counting it. */
export class DryRun {
  readonly #deps: DryRunDeps;

  constructor(deps: DryRunDeps) {
    this.#deps = deps;
  }

  /** Throws `Forbidden` or `ValidationFailed` when the request names a caller that the principal may not name. */
  async check(principal: UserPrincipal, address: string, asked: CheckRequest): Promise<CheckAnswer> {
    const { subjects, rules } = this.#deps;
    const request = await this.#visibleOnly(principal, asked);
    const caller = await dryRunCaller(subjects, principal, address, request);
    const book = await rules.current();
    const limits = await Promise.all(book.limitsOf(caller).map((limit) => this.#peeked(limit)));
    const choice = await this.#chosen(book, caller, request.version_id);
    const versionId = choice?.versionId ?? request.version_id;
    const verdict =
      this.#blocked(book, caller) ??
      this.#rateLimited(limits) ??
      this.#circuitOpen(versionId) ??
      this.#full(book, caller.algorithmId, versionId) ??
      ALLOWED;
    return {
      ...verdict,
      limits: limits.map(shownLimit),
      ...(choice ? { chosen: shownChoice(choice) } : {}),
    };
  }

  /** The request without an algorithm or a version that does not exist for the caller. */
  async #visibleOnly(principal: UserPrincipal, request: CheckRequest): Promise<CheckRequest> {
    const { subjects } = this.#deps;
    const { algorithm_id = '', version_id = '' } = request;
    if (algorithm_id === '' && version_id === '') return request;
    const isNamed = version_id !== '' && version_id !== DEFAULT_VERSION;
    const [algorithm, version] = await Promise.all([
      subjects.visibleAlgorithm(principal, algorithm_id),
      isNamed ? subjects.visibleVersion(principal, version_id) : version_id,
    ]);
    return { ...request, algorithm_id: algorithm, version_id: version };
  }

  async #peeked(limit: NamedLimit): Promise<PeekedLimit> {
    const grant = await this.#deps.allowances.peek(limit);
    return { limit, grant, resetsAt: isoTime(this.#deps.clock.now() + grant.resetMs) };
  }

  /** The version that a route or the catalogue would choose; `undefined` when the call gets the version it names. */
  async #chosen(book: RuleBook, caller: Caller, versionId: string | undefined): Promise<Choice | undefined> {
    if (versionId === undefined) return undefined;
    try {
      return await this.#deps.routing.choose(book.routeOf(caller.algorithmId), caller, versionId);
    } catch (error) {
      // A missing algorithm or version is not a matter of the gateway's rules.
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    }
  }

  #blocked(book: RuleBook, caller: Caller): Verdict | undefined {
    const rule = book.blockOf(caller, this.#deps.clock.now());
    if (!rule) return undefined;
    const { id, reason, until } = rule;
    return { allowed: false, code: 'blocked', reason, rule: { kind: 'block', id }, clears_at: until };
  }

  #rateLimited(limits: readonly PeekedLimit[]): Verdict | undefined {
    const used = limits.find(({ grant }) => !grant.allowed);
    if (!used) return undefined;
    const { policyId: id, name, requests, windowS } = used.limit;
    return {
      allowed: false,
      code: 'rate_limited',
      reason: `The limit "${name}" of ${requests} requests in ${windowS} s is used up.`,
      rule: { kind: id === null ? 'setting' : 'policy', id },
      clears_at: used.resetsAt,
    };
  }

  #circuitOpen(versionId: string | undefined): Verdict | undefined {
    const { circuits } = this.#deps;
    const until = versionId === undefined ? undefined : circuits.refusesUntil(versionId);
    if (until === undefined || versionId === undefined) return undefined;
    const reason = `${circuits.reasonOf(versionId)}.`;
    const rule = { kind: 'circuit' as const, id: versionId };
    return { allowed: false, code: 'circuit_open', reason, rule, clears_at: isoTime(until) };
  }

  /** The verdict when a limit of concurrency would refuse the call now. */
  #full(book: RuleBook, algorithmId: string, versionId = ''): Verdict | undefined {
    const policy = book.concurrencyPolicyOf(algorithmId);
    const called = { algorithm: { id: algorithmId }, version: { id: versionId } };
    if (!this.#deps.concurrency.isFull(called, policy?.concurrency)) return undefined;
    const what = policy ? 'algorithm' : 'version';
    const reason = `As many calls of the ${what} as allowed are under way, and the queue is full.`;
    const rule = policy ? { kind: 'policy' as const, id: policy.id } : { kind: 'setting' as const, id: null };
    return { allowed: false, code: 'concurrency_limited', reason, rule, clears_at: null };
  }
}

function shownLimit({ limit, grant, resetsAt }: PeekedLimit): CheckAnswer['limits'][number] {
  const { name, policyId, requests, windowS } = limit;
  return {
    name,
    policy_id: policyId,
    limit: requests,
    window_s: windowS,
    remaining: grant.remaining,
    resets_at: grant.running ? resetsAt : null,
  };
}

function shownChoice(choice: Choice): NonNullable<CheckAnswer['chosen']> {
  const { route, versionId } = choice;
  return { version_id: versionId, role: route?.roleOf(versionId) ?? null, reason: reasonOf(choice) };
}

export const DRY_RUN = token<DryRun>('gateway:dry-run');

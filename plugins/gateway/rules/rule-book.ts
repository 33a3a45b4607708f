import { isId, networkMatcher } from '../../../core/index.ts';
import type { Limit } from '../limits/allowances.ts';
import type { VersionRoute } from '../traffic/version-route.ts';
import type { Caller } from './caller.ts';

/** Stands for an id: all subjects without a policy of their own. */
export const EACH = '*';

export type PolicySubject = 'user' | 'api_key' | 'algorithm';
export type BlockSubject = PolicySubject | 'network';

/** The fields of a policy that decide about requests. */
export interface PolicyRule {
  readonly id: string;
  readonly subject: PolicySubject;
  readonly subject_id: string;
  readonly limit: number | null;
  readonly window_s: number;
  readonly concurrency: number | null;
}

type ConcurrencyPolicy = PolicyRule & { readonly concurrency: number };

/** The fields of a block rule that decide about requests. */
export interface BlockRule {
  readonly id: string;
  readonly subject: BlockSubject;
  readonly value: string;
  readonly reason: string;
  readonly until: string | null;
}

/** A limit that applies to a request, and its source. */
export interface NamedLimit extends Limit {
  /** The name in the `RateLimit` header. */
  readonly name: 'user' | 'api-key' | 'algorithm';
  /** `null` for the limit of the settings. */
  readonly policyId: string | null;
}

interface KnownBlock {
  readonly rule: BlockRule;
  /** Milliseconds since 1970; `Infinity` when it has no end. */
  readonly until: number;
}

export interface RuleBookContent {
  /** The enabled policies. */
  readonly policies: readonly PolicyRule[];
  readonly blocks: readonly BlockRule[];
  readonly routes: readonly VersionRoute[];
  /** The limit of callers without a policy; 0 is no limit. */
  readonly standard: { readonly rate_limit: number; readonly rate_window_s: number };
}

/** All rules of the gateway, indexed so that a request is checked against few of them. */
export class RuleBook {
  readonly #policies = new Map<string, PolicyRule>();
  /** For each subject the block that ends last. */
  readonly #blocks = new Map<string, KnownBlock>();
  /** Sorted by their end, the latest first. */
  readonly #networks: { readonly block: KnownBlock; readonly contains: (address: string) => boolean }[] = [];
  readonly #inAnyNetwork: (address: string) => boolean;
  readonly #routes: ReadonlyMap<string, VersionRoute>;
  readonly #standard: RuleBookContent['standard'];

  constructor({ policies, blocks, routes, standard }: RuleBookContent) {
    this.#standard = standard;
    this.#routes = new Map(routes.map((route) => [route.rule.algorithm_id, route]));
    for (const policy of policies) this.#policies.set(`${policy.subject}:${policy.subject_id}`, policy);
    const networks: string[] = [];
    for (const rule of blocks) {
      const block = { rule, until: rule.until === null ? Infinity : Date.parse(rule.until) };
      if (rule.subject === 'network') {
        networks.push(rule.value);
        this.#networks.push({ block, contains: matcherOf([rule.value]) });
      } else {
        const key = `${rule.subject}:${rule.value}`;
        this.#blocks.set(key, laterOf(this.#blocks.get(key), block)!);
      }
    }
    this.#networks.sort(({ block: one }, { block: other }) => byEnd(other, one));
    this.#inAnyNetwork = matcherOf(networks);
  }

  /** The block rule that refuses a user, a key or an address at a time. Of several it is the one that ends last. */
  blockOfCaller({ userId, apiKeyId, address }: Caller, now: number): BlockRule | undefined {
    if (this.#blocks.size === 0 && this.#networks.length === 0) return undefined;
    let last = this.#blocks.get(`user:${userId}`);
    if (apiKeyId !== undefined) last = laterOf(last, this.#blocks.get(`api_key:${apiKeyId}`));
    if (this.#networks.length > 0 && this.#inAnyNetwork(address)) {
      last = laterOf(last, this.#networks.find(({ contains }) => contains(address))?.block);
    }
    return last && last.until > now ? last.rule : undefined;
  }

  /** The block rule that refuses calls of an algorithm at a time. */
  blockOfAlgorithm(algorithmId: string, now: number): BlockRule | undefined {
    const block = this.#blocks.get(`algorithm:${algorithmId}`);
    return block && block.until > now ? block.rule : undefined;
  }

  /** The limits that apply to a call: of the user, of the key and of the algorithm. */
  limitsOf(caller: Caller): readonly NamedLimit[] {
    const { algorithmId } = caller;
    const limits = this.limitsOfCaller(caller);
    // A text that is not an identifier names no algorithm and must not fill the store.
    if (isId(algorithmId))
      addLimit(limits, 'algorithm', algorithmId, this.#policyOf('algorithm', algorithmId));
    return limits;
  }

  /** The limits that apply to a caller whatever is called: of the user and of the key. */
  limitsOfCaller({ userId, apiKeyId }: Caller): NamedLimit[] {
    const limits: NamedLimit[] = [];
    const user = this.#policyOf('user', userId);
    if (user) addLimit(limits, 'user', userId, user);
    else if (this.#standard.rate_limit > 0) limits.push(this.#standardLimit(userId));
    if (apiKeyId !== undefined) addLimit(limits, 'api-key', apiKeyId, this.#policyOf('api_key', apiKeyId));
    return limits;
  }

  /** The policy that limits the concurrent calls of an algorithm. */
  concurrencyPolicyOf(algorithmId: string): ConcurrencyPolicy | undefined {
    const policy = this.#policyOf('algorithm', algorithmId);
    return policy && isConcurrencyPolicy(policy) ? policy : undefined;
  }

  /** The route of an algorithm, if it has one. */
  routeOf(algorithmId: string): VersionRoute | undefined {
    return this.#routes.get(algorithmId);
  }

  #policyOf(subject: PolicySubject, id: string): PolicyRule | undefined {
    if (this.#policies.size === 0) return undefined;
    return this.#policies.get(`${subject}:${id}`) ?? this.#policies.get(`${subject}:${EACH}`);
  }

  #standardLimit(userId: string): NamedLimit {
    const { rate_limit: requests, rate_window_s: windowS } = this.#standard;
    return { name: 'user', policyId: null, key: `user:${userId}`, requests, windowS };
  }
}

function isConcurrencyPolicy(policy: PolicyRule): policy is ConcurrencyPolicy {
  return policy.concurrency !== null;
}

function byEnd(one: KnownBlock, other: KnownBlock): number {
  return Number(one.until > other.until) - Number(one.until < other.until);
}

/** The block that ends later; the first when both end at the same time. */
function laterOf(first: KnownBlock | undefined, second: KnownBlock | undefined): KnownBlock | undefined {
  return first === undefined || (second !== undefined && second.until > first.until) ? second : first;
}

function addLimit(
  limits: NamedLimit[],
  name: NamedLimit['name'],
  id: string,
  policy: PolicyRule | undefined,
): void {
  if (policy?.limit === undefined || policy.limit === null) return;
  const { id: policyId, limit: requests, window_s: windowS } = policy;
  limits.push({ name, policyId, key: `${name}:${id}`, requests, windowS });
}

/** A matcher of networks. They are valid, because rules were checked when they were created. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  return networkMatcher(networks) ?? (() => false);
}

import { isId, isoTime, networkMatcher } from '../../../core/index.ts';
import type { NamedLimit } from '../limits/allowances.ts';
import type { BlockRow, PolicyRow } from '../models.ts';
import { VersionRoute, type RouteRule } from '../traffic/version-route.ts';
import type { Caller } from './caller.ts';

/** Stands for an id: all subjects without a policy of their own. */
export const EACH = '*';

/** Later than every end of a block rule. */
const NO_END = '~';

/** The fields of a policy that decide about requests. */
type PolicyRule = Pick<PolicyRow, 'id' | 'subject' | 'subject_id' | 'limit' | 'window_s' | 'concurrency'>;

/** The fields of a block rule that decide about requests. */
export type BlockRule = Pick<BlockRow, 'id' | 'subject' | 'value' | 'reason' | 'until'>;

export interface RuleBookContent {
  /** The enabled policies. */
  readonly policies: readonly PolicyRule[];
  readonly blocks: readonly BlockRule[];
  readonly routes: readonly RouteRule[];
  /** The limit of callers without a policy; 0 is no limit. */
  readonly standard: { readonly rate_limit: number; readonly rate_window_s: number };
}

/** All rules of the gateway, indexed so that a request is checked against few of them. */
export class RuleBook {
  readonly #policies: ReadonlyMap<string, PolicyRule>;
  /** For each subject the block that ends last. */
  readonly #blocks = new Map<string, BlockRule>();
  /** The one that ends last comes first. */
  readonly #networks: readonly {
    readonly rule: BlockRule;
    readonly contains: (address: string) => boolean;
  }[];
  readonly #inAnyNetwork: (address: string) => boolean;
  readonly #routes: ReadonlyMap<string, VersionRoute>;
  readonly #standard: Pick<PolicyRule, 'limit' | 'window_s'>;

  constructor({ policies, blocks, routes, standard }: RuleBookContent) {
    this.#policies = new Map(policies.map((policy) => [`${policy.subject}:${policy.subject_id}`, policy]));
    for (const rule of blocks.toSorted(lastFirst).toReversed()) {
      this.#blocks.set(`${rule.subject}:${rule.value}`, rule);
    }
    const networks = blocks.filter(({ subject }) => subject === 'network').toSorted(lastFirst);
    this.#networks = networks.map((rule) => ({ rule, contains: matcherOf([rule]) }));
    this.#inAnyNetwork = matcherOf(networks);
    this.#routes = new Map(routes.map((route) => [route.algorithm_id, new VersionRoute(route)]));
    this.#standard = { limit: standard.rate_limit || null, window_s: standard.rate_window_s };
  }

  /** The block rule that refuses a user, a key or an address at a time. Of several it is the one that ends last. */
  blockOfCaller({ userId, apiKeyId, address }: Caller, now: number): BlockRule | undefined {
    const network = this.#inAnyNetwork(address)
      ? this.#networks.find(({ contains }) => contains(address))
      : undefined;
    const rules = [
      this.#blocks.get(`user:${userId}`),
      this.#blocks.get(`api_key:${apiKeyId}`),
      network?.rule,
    ];
    return activeAmong(rules, now);
  }

  /** The block rule that refuses calls of an algorithm at a time. */
  blockOfAlgorithm(algorithmId: string, now: number): BlockRule | undefined {
    return activeAmong([this.#blocks.get(`algorithm:${algorithmId}`)], now);
  }

  /** The limits that apply to a call: of the user, of the key and of the algorithm. */
  limitsOf(caller: Caller): readonly NamedLimit[] {
    const { algorithmId } = caller;
    // A text that is not an identifier names no algorithm and must not fill the store.
    const policy = isId(algorithmId) ? this.#policyOf('algorithm', algorithmId) : undefined;
    return [...this.limitsOfCaller(caller), ...limitBy(policy, 'algorithm', algorithmId)];
  }

  /** The limits that apply to a caller whatever is called: of the user and of the key. */
  limitsOfCaller({ userId, apiKeyId = '' }: Caller): readonly NamedLimit[] {
    const policy = apiKeyId === '' ? undefined : this.#policyOf('api_key', apiKeyId);
    return [
      ...limitBy(this.#policyOf('user', userId) ?? this.#standard, 'user', userId),
      ...limitBy(policy, 'api-key', apiKeyId),
    ];
  }

  /** The policy that limits the concurrent calls of an algorithm. */
  concurrencyPolicyOf(
    algorithmId: string,
  ): { readonly id: string; readonly concurrency: number } | undefined {
    const { id, concurrency } = this.#policyOf('algorithm', algorithmId) ?? { id: '', concurrency: null };
    return concurrency === null ? undefined : { id, concurrency };
  }

  /** The route of an algorithm, if it has one. */
  routeOf(algorithmId: string): VersionRoute | undefined {
    return this.#routes.get(algorithmId);
  }

  #policyOf(subject: PolicyRule['subject'], id: string): PolicyRule | undefined {
    return this.#policies.get(`${subject}:${id}`) ?? this.#policies.get(`${subject}:${EACH}`);
  }
}

function lastFirst(one: BlockRule, other: BlockRule): number {
  const [end, otherEnd] = [one.until ?? NO_END, other.until ?? NO_END];
  if (end === otherEnd) return 0;
  return end < otherEnd ? 1 : -1;
}

/** The rule that ends last, unless it has ended. */
function activeAmong(rules: readonly (BlockRule | undefined)[], now: number): BlockRule | undefined {
  const [last] = rules.filter((rule) => rule !== undefined).toSorted(lastFirst);
  return last && (last.until ?? NO_END) > isoTime(now) ? last : undefined;
}

/** The limit of a policy, or of the settings; none where there is no policy or it sets none. */
function limitBy(
  policy: (Pick<PolicyRule, 'limit' | 'window_s'> & { readonly id?: string }) | undefined,
  name: NamedLimit['name'],
  id: string,
): readonly NamedLimit[] {
  if (!policy || policy.limit === null) return [];
  const { id: policyId = null, limit: requests, window_s: windowS } = policy;
  return [{ name, policyId, key: `${name}:${id}`, requests, windowS }];
}

/** A matcher of networks. They are valid, because rules were checked when they were created. */
function matcherOf(networks: readonly BlockRule[]): (address: string) => boolean {
  return networkMatcher(networks.map(({ value }) => value)) ?? (() => false);
}

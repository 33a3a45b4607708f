import {
  Problem,
  Reply,
  token,
  type Clock,
  type Logger,
  type Metrics,
  type UserPrincipal,
} from '../../core/index.ts';
import type { CallContext, CallRequest, Invoker } from '../invocation/contract.ts';
import type { RefusalCode } from './counters/gateway-counters.ts';
import type { RefusalCounts } from './counters/refusal-counts.ts';
import type { Allowances } from './limits/allowances.ts';
import { limitHeaders, secondsUntilReset, type Taken } from './limits/limit-headers.ts';
import { refusalsTotal, routedCalls } from './metrics.ts';
import { Blocked, ConcurrencyLimited, RateLimited } from './problems.ts';
import { callerOf, type Caller } from './rules/caller.ts';
import type { RuleCache } from './rules/rule-cache.ts';
import type { RuleSubjects } from './rules/rule-subjects.ts';
import type { BlockRule, NamedLimit } from './rules/rule-book.ts';
import type { Choice, Routing } from './traffic/routing.ts';

export interface GatewayDeps {
  readonly rules: RuleCache;
  readonly subjects: RuleSubjects;
  readonly allowances: Allowances;
  readonly routing: Routing;
  readonly invoker: Invoker;
  readonly refusals: RefusalCounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The parts of a request that the gateway uses. */
interface GatewayRequest {
  readonly id: string;
  readonly ip: string;
  readonly traceparent: string;
  readonly signal: AbortSignal;
}

/** Calls algorithms under the rules of the gateway: block rules, then limits, then the call itself. */
export class Gateway {
  readonly #deps: GatewayDeps;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  /** Throws `Blocked`, `RateLimited`, `ConcurrencyLimited`, and what the invoker throws. */
  async call(principal: UserPrincipal, body: CallRequest, request: GatewayRequest): Promise<Reply<never>> {
    const { rules, subjects, routing, clock, invoker } = this.#deps;
    const algorithmId = await subjects.visibleAlgorithm(principal, body.algorithm_id);
    const caller = callerOf(principal, request.ip, algorithmId);
    const book = await rules.current();
    const block = book.blockOf(caller, clock.now());
    if (block) throw await this.#refused('blocked', caller, blocked(block));
    const taken = await this.#take(book.limitsOf(caller));
    const last = taken.at(-1);
    if (last && !last.grant.allowed)
      throw await this.#refused('rate_limited', caller, rateLimited(last, taken));
    const { id: requestId, traceparent, signal } = request;
    const context: CallContext = { channel: 'gateway', requestId, traceparent, signal };
    const route = book.routeOf(body.algorithm_id);
    const headers: Record<string, string> = {};
    try {
      const choosing = routing.choose(route, { ...caller, algorithmId: body.algorithm_id }, body.version_id);
      const choice = await (algorithmId === '' ? settled(choosing) : choosing);
      const chosen = choice ? this.#chosen(body, choice, headers) : body;
      const answer = await invoker.answer(principal, chosen, context);
      return withHeaders(answer, { ...limitHeaders(taken), ...headers });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isLimited = ConcurrencyLimited.is(error);
      const problem = problemWith(error, {
        ...limitHeaders(isLimited ? this.#giveBack(taken) : taken),
        ...headers,
      });
      throw isLimited ? await this.#refused('concurrency_limited', caller, problem) : problem;
    }
  }

  /** The call for the chosen version. Adds the header `X-Vitrine-Route` when a route chose it. */
  #chosen(body: CallRequest, { route, versionId }: Choice, headers: Record<string, string>): CallRequest {
    const role = route?.roleOf(versionId);
    if (role !== undefined) {
      headers['X-Vitrine-Route'] = role;
      this.#deps.metrics.counter(routedCalls.name).labels(role).inc();
    }
    return { ...body, version_id: versionId };
  }

  /** Takes a request from each limit of a caller. When one is exhausted, gives back those taken before. */
  async #take(limits: readonly NamedLimit[]): Promise<readonly Taken[]> {
    const taken: Taken[] = [];
    for (const limit of limits) {
      const grant = await this.#deps.allowances.take(limit);
      if (!grant.allowed) return [...this.#giveBack(taken), { limit, grant }];
      taken.push({ limit, grant });
    }
    return taken;
  }

  #giveBack(taken: readonly Taken[]): readonly Taken[] {
    const { allowances } = this.#deps;
    return taken.map(({ limit, grant }) => ({ limit, grant: allowances.giveBack(limit, grant) }));
  }

  /** Counts and logs a refusal before it is answered. */
  async #refused(code: RefusalCode, caller: Caller, problem: Problem): Promise<Problem> {
    const { refusals, logger, metrics } = this.#deps;
    const { userId, apiKeyId, address, algorithmId } = caller;
    metrics.counter(refusalsTotal.name).labels(code).inc();
    logger.info(
      {
        code,
        user_id: userId,
        api_key_id: apiKeyId,
        address,
        algorithm_id: algorithmId,
        ...problem.extras.members,
      },
      'The gateway refused a request.',
    );
    await refusals.count(code);
    return problem;
  }
}

function blocked({ id, subject, reason, until }: BlockRule): Problem {
  const whose =
    subject === 'algorithm' ? 'Calls of this algorithm' : `Calls by this ${subject.replace('_', ' ')}`;
  return Blocked(`${whose} are blocked${until === null ? '' : ` until ${until}`}: ${reason}`, {
    members: { reason, blocked_until: until, block_id: id },
  });
}

function rateLimited({ limit, grant }: Taken, taken: readonly Taken[]): Problem {
  const seconds = secondsUntilReset(grant);
  return RateLimited(
    `The limit "${limit.name}" of ${limit.requests} requests in ${limit.windowS} s is used up. Try again in ${seconds} s.`,
    {
      headers: { ...limitHeaders(taken), 'Retry-After': String(seconds) },
      members: { policy_id: limit.policyId },
    },
  );
}

/**
 * Waits and chooses nothing, for an algorithm that does not exist for the caller: the invoker answers 404. The route of a
 * deleted algorithm goes meanwhile.
 */
async function settled(choosing: Promise<Choice> | undefined): Promise<undefined> {
  try {
    await choosing;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
}

function problemWith(error: Problem, headers: Readonly<Record<string, string>>): Problem {
  return new Problem(error.type, error.message, {
    ...error.extras,
    headers: { ...error.extras.headers, ...headers },
    cause: error,
  });
}

function withHeaders({ status, headers, bytes }: Reply<never>, more: Record<string, string>): Reply<never> {
  return new Reply<never>(undefined, { status, headers: { ...more, ...headers }, bytes });
}

export const GATEWAY = token<Gateway>('gateway:gateway');

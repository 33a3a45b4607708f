import { token, type Logger, type Metrics, type Problem } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { Blocked, RateLimited, type PreparedCall, type ReceivedCall } from '../invocation/contract.ts';
import { pathOf, type RefusalCode } from './counters/gateway-counters.ts';
import type { RefusalCounts } from './counters/refusal-counts.ts';
import { secondsUntilReset, type Taken } from './limits/limit-headers.ts';
import { refusalsTotal } from './metrics.ts';
import type { BlockRule } from './rules/rule-book.ts';

/** A call that is refused, before or after its algorithm was looked at. */
type RefusedCall = ReceivedCall & Partial<Pick<PreparedCall, 'callable'>>;

export interface RefusalsDeps {
  readonly catalogue: Pick<Catalogue, 'knownAlgorithm'>;
  readonly counts: RefusalCounts;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Makes the problems of refused calls. Each refusal is counted and logged before it is answered. */
export class Refusals {
  readonly #deps: RefusalsDeps;

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
  }

  blocked(call: RefusedCall, { id, subject, reason, until }: BlockRule): Promise<Problem> {
    const whose =
      subject === 'algorithm' ? 'Calls of this algorithm' : `Calls by this ${subject.replace('_', ' ')}`;
    const when = until === null ? '' : ` until ${until}`;
    const problem = Blocked(`${whose} are blocked${when}: ${reason}`, {
      members: { reason, blocked_until: until, block_id: id },
    });
    return this.count(call, problem);
  }

  /** The refusal by a limit that is used up. */
  rateLimited(call: RefusedCall, { limit, grant }: Taken): Promise<Problem> {
    const { name, requests, windowS, policyId } = limit;
    const seconds = secondsUntilReset(grant);
    const problem = RateLimited(
      `The limit "${name}" of ${requests} requests in ${windowS} s is used up. Try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) }, members: { policy_id: policyId } },
    );
    return this.count(call, problem);
  }

  async count(call: RefusedCall, problem: Problem): Promise<Problem> {
    const { principal, request, context } = call;
    const { counts, logger, metrics } = this.#deps;
    const { userId, via, credentialId } = principal;
    const code = problem.code as RefusalCode;
    metrics.counter(refusalsTotal.name).labels(code).inc();
    logger.info(
      {
        code,
        channel: context.channel,
        user_id: userId,
        api_key_id: via === 'api-key' ? credentialId : undefined,
        address: context.address,
        algorithm_id: request.algorithm_id,
        ...problem.extras.members,
      },
      'The gateway refused a request.',
    );
    await counts.count(pathOf(context.channel), { code, algorithmId: this.#algorithmOf(call) });
    return problem;
  }

  /**
   * The algorithm that a call names, where it is known: it is not read for refused calls, which would cost a used-up
   * caller's flood a read each. `undefined` where the caller sees none, so that nobody makes rows about what does not
   * exist.
   */
  #algorithmOf({ callable, request, principal }: RefusedCall): string | undefined {
    const known = callable?.algorithm ?? this.#deps.catalogue.knownAlgorithm(request.algorithm_id, principal);
    return known?.id;
  }
}

export const REFUSALS = token<Refusals>('gateway:refusals');

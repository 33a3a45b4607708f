import { token, withDeadline, type Logger, type Metrics, type Problem } from '../../core/index.ts';
import type { Algorithm, Catalogue } from '../catalogue/contract.ts';
import { Blocked, RateLimited, type PreparedCall, type ReceivedCall } from '../invocation/contract.ts';
import type { RefusalCode } from './counters/gateway-counters.ts';
import type { RefusalCounts } from './counters/refusal-counts.ts';
import type { Taken } from './limits/allowances.ts';
import { secondsUntilReset } from './limits/rate-limit-headers.ts';
import { refusalsTotal } from './metrics.ts';
import type { BlockRule } from './rules/rule-book.ts';

/** A call that is refused, before or after its algorithm was looked at. */
type RefusedCall = ReceivedCall & Partial<Pick<PreparedCall, 'callable'>>;

export interface RefusalsDeps {
  readonly catalogue: Pick<Catalogue, 'algorithm'>;
  readonly counts: RefusalCounts;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long the answer to a refused request waits for its algorithm, in milliseconds. */
const READ_MS = 200;

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
    await counts.count(context.channel, { code, algorithmId: await this.#algorithmOf(call) });
    return problem;
  }

  /** The id of the algorithm that a call names; `undefined` where the caller sees none, or it cannot be read in time. */
  async #algorithmOf({ callable, request, principal }: RefusedCall): Promise<string | undefined> {
    if (callable) return callable.algorithm.id;
    try {
      const read = this.#deps.catalogue.algorithm(request.algorithm_id, principal);
      return (await withDeadline<Algorithm | undefined>(READ_MS, read, () => undefined))?.id;
    } catch {
      return undefined;
    }
  }
}

export const REFUSALS = token<Refusals>('gateway:refusals');

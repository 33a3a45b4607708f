import { token, withDeadline, type Logger, type Metrics, type Problem } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { Blocked, RateLimited, type ReceivedCall } from '../invocation/contract.ts';
import { pathOf, type RefusalCode } from './counters/gateway-counters.ts';
import type { RefusalCounts } from './counters/refusal-counts.ts';
import { secondsUntilReset, type Taken } from './limits/limit-headers.ts';
import { refusalsTotal } from './metrics.ts';
import type { BlockRule } from './rules/rule-book.ts';

/** How long a refusal waits to know its algorithm, in milliseconds. */
const WAIT_MS = 100;

export interface RefusalsDeps {
  readonly catalogue: Pick<Catalogue, 'algorithm'>;
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

  blocked(call: ReceivedCall, { id, subject, reason, until }: BlockRule): Promise<Problem> {
    const whose =
      subject === 'algorithm' ? 'Calls of this algorithm' : `Calls by this ${subject.replace('_', ' ')}`;
    const when = until === null ? '' : ` until ${until}`;
    const problem = Blocked(`${whose} are blocked${when}: ${reason}`, {
      members: { reason, blocked_until: until, block_id: id },
    });
    return this.count(call, problem);
  }

  /** The refusal by a limit that is used up. */
  rateLimited(call: ReceivedCall, { limit, grant }: Taken): Promise<Problem> {
    const { name, requests, windowS, policyId } = limit;
    const seconds = secondsUntilReset(grant);
    const problem = RateLimited(
      `The limit "${name}" of ${requests} requests in ${windowS} s is used up. Try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) }, members: { policy_id: policyId } },
    );
    return this.count(call, problem);
  }

  async count(call: ReceivedCall, problem: Problem): Promise<Problem> {
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
    await counts.count(pathOf(context.channel), { code, algorithmId: await this.#algorithmOf(call) });
    return problem;
  }

  /**
   * The algorithm that a request names; `undefined` where the caller sees none, so that nobody makes rows about what
   * does not exist.
   */
  async #algorithmOf({
    request: { algorithm_id: id },
    principal,
  }: ReceivedCall): Promise<string | undefined> {
    const { catalogue } = this.#deps;
    try {
      const found = catalogue.algorithm(id, principal);
      return (await withDeadline(WAIT_MS, found, () => undefined))?.id;
    } catch {
      return undefined;
    }
  }
}

export const REFUSALS = token<Refusals>('gateway:refusals');

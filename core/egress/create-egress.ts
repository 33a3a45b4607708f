import { EgressDenied } from '../errors/problems.ts';
import type { Logger } from '../telemetry/logger.ts';
import { AnswerMemory } from './answer-memory.ts';
import { AnswersHeld } from './answers-held.ts';
import { parseAllowList } from './allow-list.ts';
import { Blocks } from '../support/blocks.ts';
import { systemResolver, type Lookup } from './connector.ts';
import { contentLookup } from './content-lookup.ts';
import {
  OutboundError,
  type Egress,
  type EgressPurpose,
  type HeldAnswers,
  type OutboundRequest,
  type OutboundResponse,
} from './egress.ts';
import { exchange } from './exchange.ts';
import { DENIED } from './failures.ts';
import { userGuard, type Guard } from './guard.ts';
import { createPools, type Pools } from './pools.ts';
import type { EgressValues } from './settings.ts';
import { targetOf, type Target } from './target.ts';

export interface EgressOptions {
  readonly settings: EgressValues;
  readonly logger: Logger;
  /** Resolves names, when a test hands one in; the system's resolver otherwise, and name servers for contents. */
  readonly lookup?: Lookup;
}

/**
 * What serves one purpose. Connections of one are never used for the other: they passed different guards. Nor is memory,
 * for any user may have contents fetched from where he likes, and endpoints shall not wait for those.
 */
interface Way {
  readonly judge: (url: string) => Target | string;
  readonly pools: Pools;
  readonly memory: AnswerMemory;
}

const REMEMBERED_URLS = 1000;

/** The way out as the kernel holds it. */
export interface OpenEgress extends Egress {
  /** Answers of endpoints. */
  readonly held: HeldAnswers;
  /** Breaks what is still open. */
  close(): Promise<void>;
}

/** Makes the way out to URLs of users. */
export function createEgress(options: EgressOptions): OpenEgress {
  const { settings, logger } = options;
  const allowed = parseAllowList(settings.allow);
  const lookups: Readonly<Record<EgressPurpose, Lookup>> = {
    endpoint: options.lookup ?? systemResolver,
    content:
      options.lookup ?? contentLookup({ system: systemResolver, isListed: (name) => allowed.name(name) }),
  };
  const blocks = new Blocks();
  const held = new AnswersHeld(settings.held_answer_memory);
  const wayFor = (purpose: EgressPurpose): Way => {
    const guard = userGuard(settings.policy, purpose, allowed);
    const memory = new AnswerMemory(settings.answer_memory, {
      blocks,
      ...(purpose === 'endpoint' ? { held } : {}),
    });
    return { judge: judgeWith(guard), pools: createPools(guard, lookups[purpose]), memory };
  };
  const ways: Readonly<Record<EgressPurpose, Way>> = {
    endpoint: wayFor('endpoint'),
    content: wayFor('content'),
  };
  logger.debug({ policy: settings.policy, allow: settings.allow.length }, 'The egress guard stands.');

  return {
    check: (url, purpose) => {
      const verdict = ways[purpose].judge(url);
      if (typeof verdict === 'string') throw EgressDenied(verdict);
    },
    request: (request) => send(ways[request.purpose], request),
    held,
    close: async () => {
      await Promise.all([ways.endpoint.pools.close(), ways.content.pools.close()]);
    },
  };
}

function send({ judge, pools, memory }: Way, request: OutboundRequest): Promise<OutboundResponse> {
  const target = judge(request.url);
  if (typeof target === 'string') return Promise.reject(new OutboundError('egress_denied', target));
  return exchange(pools.for(target), memory, {
    url: request.url,
    path: target.path,
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    body: request.body,
    timeoutMs: request.timeoutMs,
    maxBytes: request.maxBytes,
    signal: request.signal,
    onBegin: request.onBegin,
    holder: request.holder,
    redirects: 'fault',
  });
}

/** The target of a URL, or why it is refused. The verdict on one text never changes, so it is remembered. */
function judgeWith(guard: Guard): (url: string) => Target | string {
  const verdicts = new Map<string, Target | string>();
  return (url) => {
    const known = verdicts.get(url);
    if (known !== undefined) return known;
    const target = targetOf(url);
    const verdict = typeof target === 'string' || guard.allowsHost(target) ? target : DENIED;
    if (verdicts.size >= REMEMBERED_URLS) verdicts.clear();
    verdicts.set(url, verdict);
    return verdict;
  };
}

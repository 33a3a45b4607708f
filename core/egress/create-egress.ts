import { LRUCache } from 'lru-cache';
import { EgressDenied } from '../errors/problems.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createAgent } from './agent.ts';
import { OutboundError, type Egress, type EgressPurpose } from './egress.ts';
import { exchange, type Client } from './exchange.ts';
import { DENIED } from './failures.ts';
import { parseAllowList } from './guard/allow-list.ts';
import { systemResolver, type Lookup } from './guard/connector.ts';
import { contentLookup } from './guard/content-lookup.ts';
import { userGuard, type Guard } from './guard/guard.ts';
import { targetOf, type Target } from './guard/target.ts';
import { LARGE_ANSWER_MEMORY, LargeAnswers } from './large-answers.ts';
import { createEndpointProbe } from './probe.ts';
import type { EgressValues } from './settings.ts';

export interface EgressOptions {
  readonly settings: EgressValues;
  readonly logger: Logger;
  /** Resolves names; the system's resolver by default. */
  readonly lookup?: Lookup;
  /** Bytes of large answers that may arrive at once in each channel. */
  readonly answerMemory?: number;
}

/**
 * The client of one purpose. Purposes share no connections, because their connections passed different guards, and no
 * memory for answers, because any user can request slow content and answers of endpoints must not wait for it.
 */
interface Channel extends Client {
  readonly judge: (url: string) => Target | string;
}

const CACHED_VERDICTS = 1000;

/** Makes the guarded client for URLs of users. `close` aborts the requests in progress. */
export function createEgress(options: EgressOptions): Egress & { close(): Promise<void> } {
  const { settings, logger } = options;
  const allowed = parseAllowList(settings.allow);
  const system = options.lookup ?? systemResolver;
  const lookups: Readonly<Record<EgressPurpose, Lookup>> = {
    endpoint: system,
    content: contentLookup(system),
  };
  const channelFor = (purpose: EgressPurpose): Channel => {
    const guard = userGuard(settings.policy, purpose, allowed);
    return {
      judge: judgeWith(guard),
      agent: createAgent(guard, lookups[purpose]),
      large: new LargeAnswers(options.answerMemory ?? LARGE_ANSWER_MEMORY),
      redirects: 'fault',
    };
  };
  const channels: Readonly<Record<EgressPurpose, Channel>> = {
    endpoint: channelFor('endpoint'),
    content: channelFor('content'),
  };
  const probe = createEndpointProbe(settings);
  logger.debug({ policy: settings.policy, allow: settings.allow.length }, 'The egress guard is ready.');

  return {
    check: (url, purpose) => {
      const verdict = channels[purpose].judge(url);
      if (typeof verdict === 'string') throw EgressDenied(verdict);
    },
    request: (request) => {
      const channel = channels[request.purpose];
      const target = channel.judge(request.url);
      if (typeof target === 'string') return Promise.reject(new OutboundError('egress_denied', target));
      return exchange(channel, target, request);
    },
    connect: (url, timeoutMs) => probe.connect(url, timeoutMs, 'user'),
    close: async () => {
      await Promise.all([channels.endpoint.agent.destroy(), channels.content.agent.destroy()]);
    },
  };
}

/** Returns the target of a URL, or why it is refused. The verdict on a URL never changes, so it is cached. */
function judgeWith(guard: Guard): (url: string) => Target | string {
  const verdicts = new LRUCache<string, Target | string>({ max: CACHED_VERDICTS });
  return (url) => {
    const known = verdicts.get(url);
    if (known !== undefined) return known;
    const target = targetOf(url);
    const verdict = typeof target === 'string' || guard.allowsHost(target) ? target : DENIED;
    verdicts.set(url, verdict);
    return verdict;
  };
}

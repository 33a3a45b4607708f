import { LRUCache } from 'lru-cache';
import { EgressDenied } from '../errors/core-problems.ts';
import { createAgent } from './agent.ts';
import { OutboundError, type Connected, type LimitedRequest, type OutboundResponse } from './egress.ts';
import { exchange, type Client } from './exchange.ts';
import type { Lookup } from './guard/connector.ts';
import type { Guard } from './guard/guard.ts';
import { targetOf, type Target } from './guard/target.ts';
import { LARGE_ANSWER_MEMORY, LargeAnswers } from './large-answers.ts';
import { probe, type ProbeOptions } from './probe.ts';

export interface ChannelOptions {
  readonly guard: Guard;
  readonly lookup: Lookup;
  readonly redirects: Client['redirects'];
  readonly denied: Client['denied'];
  /** Bytes of large answers that may arrive at once. */
  readonly answerMemory?: number | undefined;
}

const CACHED_VERDICTS = 1000;

/**
 * The client of one purpose. Purposes share no connections, because their connections passed different guards, and no
 * memory for answers, because any user can request slow content and answers of endpoints must not wait for it.
 */
export class Channel {
  readonly #probing: ProbeOptions;
  readonly #client: Client;
  /** The target of a URL, or why it is refused; that never changes. */
  readonly #verdicts = new LRUCache<string, Target | string>({ max: CACHED_VERDICTS });

  constructor({ guard, lookup, redirects, denied, answerMemory = LARGE_ANSWER_MEMORY }: ChannelOptions) {
    this.#probing = { guard, lookup, denied };
    const large = new LargeAnswers(answerMemory);
    this.#client = { agent: createAgent(guard, lookup), large, redirects, denied };
  }

  /** Throws `EgressDenied` for a URL that is refused as it stands. */
  check(url: string): void {
    this.#allowed(url);
  }

  /**
   * Connects within `timeoutMs`, sends nothing, and disconnects. Throws `EgressDenied` for a URL that is refused and
   * otherwise an error whose message, which is for operators, says why.
   */
  async connect(url: string, timeoutMs: number): Promise<Connected> {
    return probe(this.#allowed(url), timeoutMs, this.#probing);
  }

  /** Throws `OutboundError`. */
  async request(request: LimitedRequest): Promise<OutboundResponse> {
    const target = this.#judge(request.url);
    if (typeof target === 'string') throw new OutboundError('egress_denied', target);
    return exchange(this.#client, target, request);
  }

  /** Aborts the requests in progress. */
  close(): Promise<void> {
    return this.#client.agent.destroy();
  }

  #allowed(url: string): Target {
    const target = this.#judge(url);
    if (typeof target === 'string') throw EgressDenied(target);
    return target;
  }

  #judge(url: string): Target | string {
    const known = this.#verdicts.get(url);
    if (known !== undefined) return known;
    const target = targetOf(url);
    const verdict =
      typeof target === 'string' || this.#probing.guard.allowsHost(target) ? target : this.#client.denied;
    this.#verdicts.set(url, verdict);
    return verdict;
  }
}

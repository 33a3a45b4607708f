import { LRUCache } from 'lru-cache';
import { EgressDenied } from '../errors/problems.ts';
import { createAgent } from './agent.ts';
import { OutboundError, type LimitedRequest, type OutboundResponse } from './egress.ts';
import { exchange, type Client } from './exchange.ts';
import type { Lookup } from './guard/connector.ts';
import type { Guard } from './guard/guard.ts';
import { targetOf, type Target } from './guard/target.ts';
import { LARGE_ANSWER_MEMORY, LargeAnswers } from './large-answers.ts';

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
  readonly #guard: Guard;
  readonly #client: Client;
  /** The target of a URL, or why it is refused; that never changes. */
  readonly #verdicts = new LRUCache<string, Target | string>({ max: CACHED_VERDICTS });

  constructor({ guard, lookup, redirects, denied, answerMemory = LARGE_ANSWER_MEMORY }: ChannelOptions) {
    this.#guard = guard;
    const large = new LargeAnswers(answerMemory);
    this.#client = { agent: createAgent(guard, lookup), large, redirects, denied };
  }

  /** Throws `EgressDenied` for a URL that is refused as it stands. */
  check(url: string): void {
    const target = this.#judge(url);
    if (typeof target === 'string') throw EgressDenied(target);
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

  #judge(url: string): Target | string {
    const known = this.#verdicts.get(url);
    if (known !== undefined) return known;
    const target = targetOf(url);
    const verdict =
      typeof target === 'string' || this.#guard.allowsHost(target) ? target : this.#client.denied;
    this.#verdicts.set(url, verdict);
    return verdict;
  }
}

import { EgressDenied } from '../errors/problems.ts';
import { AnswerMemory } from './answer-memory.ts';
import type { BackendClient } from './backend.ts';
import { systemResolver, type Lookup } from './connector.ts';
import { OutboundError } from './egress.ts';
import { exchange } from './exchange.ts';
import { operatorGuard } from './guard.ts';
import { createPools } from './pools.ts';
import { targetOf } from './target.ts';

const DENIED_TO_OPERATORS =
  'Link-local addresses and those under which clouds serve credentials may never be reached.';

export interface BackendClientOptions {
  /** Bytes of large answers that may be gathered at once. */
  readonly answerMemory: number;
  /** Resolves names; the system's resolver unless a test hands in another. */
  readonly lookup?: Lookup;
}

/**
 * Makes the client for servers that the operator configured. It shares no connection with URLs of users. Redirects
 * are answers like any other: the caller sees the status and the `location`, and nothing is followed.
 */
export function createBackendClient(
  options: BackendClientOptions,
): BackendClient & { close(): Promise<void> } {
  const pools = createPools(operatorGuard, options.lookup ?? systemResolver);
  const memory = new AnswerMemory(options.answerMemory);
  return {
    check: (url) => {
      const target = targetOf(url);
      if (typeof target === 'string') throw EgressDenied(target);
      if (!operatorGuard.allowsHost(target)) throw EgressDenied(DENIED_TO_OPERATORS);
    },
    request: (request) => {
      const target = targetOf(request.url);
      if (typeof target === 'string') return Promise.reject(new OutboundError('egress_denied', target));
      return exchange(pools.for(target), memory, {
        url: request.url,
        path: target.path,
        method: request.method,
        headers: request.headers ?? {},
        body: request.body,
        timeoutMs: request.timeoutMs,
        maxBytes: request.maxBytes,
        signal: request.signal,
        redirects: 'answer',
      });
    },
    close: () => pools.close(),
  };
}

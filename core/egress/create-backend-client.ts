import { EgressDenied } from '../errors/problems.ts';
import { createAgent } from './agent.ts';
import type { BackendClient } from './backend.ts';
import { OutboundError } from './egress.ts';
import { exchange, type Client } from './exchange.ts';
import { systemResolver, type Lookup } from './guard/connector.ts';
import { operatorGuard } from './guard/guard.ts';
import { targetOf } from './guard/target.ts';
import { LargeAnswers } from './large-answers.ts';

const DENIED_TO_OPERATORS =
  'Link-local addresses and those under which clouds serve credentials may never be reached.';

export interface BackendClientOptions {
  /** Memory in bytes for large answers that arrive at the same time. */
  readonly answerMemory: number;
  /** Resolves names; by default the resolver of the operating system. */
  readonly lookup?: Lookup;
}

/**
 * Creates the client for servers that the operator configured. It shares no connection with URLs of users. Redirects are
 * not followed: the caller receives the status and the `location`.
 */
export function createBackendClient(
  options: BackendClientOptions,
): BackendClient & { close(): Promise<void> } {
  const client: Client = {
    agent: createAgent(operatorGuard, options.lookup ?? systemResolver),
    large: new LargeAnswers(options.answerMemory),
    redirects: 'answer',
  };
  return {
    check: (url) => {
      const target = targetOf(url);
      if (typeof target === 'string') throw EgressDenied(target);
      if (!operatorGuard.allowsHost(target)) throw EgressDenied(DENIED_TO_OPERATORS);
    },
    request: (request) => {
      const target = targetOf(request.url);
      if (typeof target === 'string') return Promise.reject(new OutboundError('egress_denied', target));
      return exchange(client, target, request);
    },
    close: () => client.agent.destroy(),
  };
}

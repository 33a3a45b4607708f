import { EgressDenied } from '../errors/problems.ts';
import { createAgent } from './agent.ts';
import type { BackendClient } from './backend.ts';
import { OutboundError } from './egress.ts';
import { exchange, type Client } from './exchange.ts';
import { systemResolver, type Lookup } from './guard/connector.ts';
import { operatorGuard } from './guard/guard.ts';
import { targetOf } from './guard/target.ts';
import { LARGE_ANSWER_MEMORY, LargeAnswers } from './large-answers.ts';

const DENIED_TO_OPERATORS =
  'Link-local addresses and addresses at which clouds serve credentials are never allowed.';

export interface BackendClientOptions {
  /** Resolves names; the system's resolver by default. */
  readonly lookup?: Lookup;
}

/**
 * Makes the client for servers that the operator configured. It shares no connections with URLs of users. It does not
 * follow redirects: the caller gets the status and the `location`, as with any other answer.
 */
export function createBackendClient(
  options: BackendClientOptions = {},
): BackendClient & { close(): Promise<void> } {
  const client: Client = {
    agent: createAgent(operatorGuard, options.lookup ?? systemResolver),
    large: new LargeAnswers(LARGE_ANSWER_MEMORY),
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

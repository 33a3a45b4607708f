import { Channel } from './channel.ts';
import { systemResolver, type Lookup } from './guard/connector.ts';
import { operatorGuard } from './guard/guard.ts';

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
export function createBackendClient({ lookup = systemResolver }: BackendClientOptions = {}): Channel {
  return new Channel({ guard: operatorGuard, lookup, redirects: 'answer', denied: DENIED_TO_OPERATORS });
}

import { token } from '../di/token.ts';
import type { OutboundResponse } from './egress.ts';

/** A request to a server that the operator configured (language model, code host). Not guarded like user URLs. */
export interface BackendRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** HTTP to servers that the operator configured; metadata addresses are refused. Throws `OutboundError`. */
export interface BackendClient {
  /**
   * Checks a URL before an administrator saves it: http or https, no credentials, no metadata or link-local address.
   * Throws `EgressDenied`. Names are resolved and checked again inside the connection.
   */
  check(url: string): void;
  request(request: BackendRequest): Promise<OutboundResponse>;
}

/** The client for servers that the operator configured; never use it for a URL of a user. */
export const BACKENDS = token<BackendClient>('core:backends');

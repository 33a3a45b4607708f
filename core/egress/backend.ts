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

/** HTTP to backends named by the operator; metadata addresses stay refused. Throws `OutboundError`. */
export interface BackendClient {
  /**
   * Checks a URL that an administrator saves: http or https, no credentials, no metadata or link-local address.
   * Throws `EgressDenied`. Names are resolved and checked again when connecting.
   */
  check(url: string): void;
  request(request: BackendRequest): Promise<OutboundResponse>;
}

/** The client for servers that the operator configured; never for a URL of a user. */
export const BACKENDS = token<BackendClient>('core:backends');

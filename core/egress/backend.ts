import { token } from '../di/token.ts';
import type { LimitedRequest, OutboundResponse } from './egress.ts';

/**
 * HTTP to servers that the operator configured (language model, code host), which are not guarded like URLs of users;
 * metadata addresses stay refused.
 */
export interface BackendClient {
  /**
   * Checks a URL that an administrator saves: http or https, no credentials, no metadata or link-local address.
   * Throws `EgressDenied`. Names are resolved and checked again when connecting.
   */
  check(url: string): void;
  /** Throws `OutboundError`. */
  request(request: LimitedRequest): Promise<OutboundResponse>;
}

/** The client for servers that the operator configured; never for a URL of a user. */
export const BACKENDS = token<BackendClient>('core:backends');

import { token } from '../di/token.ts';
import { brand } from '../support/brand.ts';

/** `endpoint`: may be private unless the policy says `public`. `content`: public only. Link-local and metadata never. */
export type EgressPurpose = 'endpoint' | 'content';

/** A request to an address that a user chose. */
export interface OutboundRequest {
  readonly url: string;
  readonly purpose: EgressPurpose;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The largest accepted body of the answer, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * An answer of any status. The body of an error answer (status 400 and above) is empty when it cannot be used: too large,
 * compressed, or truncated.
 */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why an exchange failed. `bad_response` covers oversize, encoded, truncated and malformed answers, and redirects. */
export type OutboundFailure = 'egress_denied' | 'unreachable' | 'timeout' | 'bad_response' | 'aborted';

/** Thrown by `request`; `message` is safe to show to a caller and does not help to scan ports. */
export class OutboundError extends Error {
  static {
    brand(this, 'OutboundError');
  }

  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

/** The guarded client, which is the only way to send a request to a URL of a user. */
export interface Egress {
  /**
   * Checks a URL before it is saved: scheme, no credentials, literal addresses and well-known names against the policy.
   * Throws `EgressDenied`. Names are resolved and checked again inside the connection.
   */
  check(url: string, purpose: EgressPurpose): void;
  /** Sends through keep-alive pools per origin; redirects are never followed. Throws `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

/** The egress of the kernel. */
export const EGRESS = token<Egress>('core:egress');

import { token } from '../di/token.ts';
import { brand } from '../support/brand.ts';

/**
 * What a URL is used for. `endpoint`: may be private unless the policy is `public`. `content`: public only. Neither may
 * be a link-local or metadata address.
 */
export type EgressPurpose = 'endpoint' | 'content';

/** A request, and the limits of its answer. */
export interface LimitedRequest {
  readonly url: string;
  /** GET by default. */
  readonly method?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The deadline of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The largest accepted body of an answer, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** A request to an address that a user chose. */
export interface OutboundRequest extends LimitedRequest {
  readonly purpose: EgressPurpose;
}

/**
 * An answer with any status. The body of an error answer (status 400 and above) is empty when it was too large,
 * compressed or incomplete.
 */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whole seconds after which the server asks to be asked again (`Retry-After`), where it names a sensible time. */
  readonly retryAfter?: number | undefined;
}

/** Why an exchange failed. `bad_response` covers oversize, encoded, truncated and malformed answers, and redirects. */
export type OutboundFailure = 'egress_denied' | 'unreachable' | 'timeout' | 'bad_response' | 'aborted';

/** Thrown by `request`. Its `message` is safe to show to callers: it reveals nothing that helps to scan ports. */
export class OutboundError extends Error {
  static {
    brand(this, 'OutboundError');
  }

  readonly failure: OutboundFailure;
  /**
   * What is wrong with the TLS of the server, as a sentence for those who manage its address. Callers must not see it:
   * it tells an open port from a closed one.
   */
  readonly tlsReason: string | undefined;

  constructor(
    failure: OutboundFailure,
    message: string,
    options: ErrorOptions & { readonly tlsReason?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = 'OutboundError';
    this.failure = failure;
    this.tlsReason = options.tlsReason;
  }
}

/** What a connection without a request told. */
export interface Connected {
  /** When the certificate of the server ends, in milliseconds since 1970; `undefined` without TLS. */
  readonly certificateEnds: number | undefined;
}

/** The guarded client, the only way to reach URLs that users supply. */
export interface Egress {
  /**
   * Checks a URL before it is saved: its scheme, that it has no credentials, and that the policy allows a literal
   * address or well-known name. Throws `EgressDenied`. Names are resolved and checked again when connecting.
   */
  check(url: string, purpose: EgressPurpose): void;
  /** Sends through keep-alive pools per origin; redirects are never followed. Throws `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Connects to the endpoint of a user within `timeoutMs`, sends nothing, and disconnects. Throws `EgressDenied` for a URL
   * that the policy refuses, and otherwise an error whose message is for operators only: it tells an open port from a closed one.
   */
  connect(url: string, timeoutMs: number): Promise<Connected>;
}

/** The egress of the kernel. */
export const EGRESS = token<Egress>('core:egress');

import { token } from '../di/token.ts';
import { brand } from '../support/brand.ts';

/** `endpoint`: may be private unless the policy says `public`. `content`: public only. Link-local and metadata never. */
export type EgressPurpose = 'endpoint' | 'content';

/** Whoever works with an answer. Nothing is held any more for one that is over: an answer may come later than that. */
export interface AnswerHolder {
  readonly isOver?: boolean;
}

/** A request to an address that a user chose. */
export interface OutboundRequest {
  readonly url: string;
  readonly purpose: EgressPurpose;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whole exchange, milliseconds, from when it is begun. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body that are accepted. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Called when the request is begun, which is a moment later when many others go to the same server. */
  readonly onBegin?: () => void;
  /** Whoever works with the answer: a large one is held for him, from its end until `HELD_ANSWERS` is told that he let go. */
  readonly holder?: AnswerHolder;
}

/** A whole answer, whatever its status. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why an exchange failed. `bad_response` covers oversize, encoded, truncated and malformed answers, and redirects. */
export type OutboundFailure = 'egress_denied' | 'unreachable' | 'timeout' | 'bad_response' | 'aborted';

/** Thrown by `request`; `message` is safe to show to a caller and is no port-scan oracle. */
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

/** The only way out to a URL that a user supplied. */
export interface Egress {
  /**
   * Checks a URL when it is saved: scheme, no credentials, literal addresses and well-known names against the policy.
   * Throws `EgressDenied`. Names are resolved and checked again inside the connection.
   */
  check(url: string, purpose: EgressPurpose): void;
  /** Sends through keep-alive pools per origin; redirects are never followed. Throws `OutboundError`. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

export const EGRESS = token<Egress>('core:egress');

/** Large answers of endpoints that came and are still worked with, such as outputs that wait for their records. */
export interface HeldAnswers {
  /** Whether no more should be asked for now; large ones that are arriving wait. */
  readonly isFull: boolean;
  /** Tells how many bytes somebody holds by now, however they came. */
  hold(holder: AnswerHolder, bytes: number): void;
  /** Tells that somebody holds nothing any more. */
  letGo(holder: AnswerHolder): void;
}

export const HELD_ANSWERS = token<HeldAnswers>('core:held-answers');

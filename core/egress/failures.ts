import { OutboundError } from './egress.ts';
import { ConnectionFailed, DestinationRefused } from './guard/connector.ts';
import { tlsReasonOf } from './tls-reason.ts';

/** The message of every refusal. It must not reveal whether a name resolves or a port is open. */
export const DENIED =
  'The egress policy does not allow this address. Use a permitted one, or ask the operator about EGRESS_ALLOW.';

/** The failure of an answer that cannot be used. */
export function refusedAnswer(why: string): OutboundError {
  return new OutboundError('bad_response', `The answer cannot be used. ${why}`);
}

/** The reason for refusing an answer that is larger than the limit. */
export function tooLarge(maxBytes: number): string {
  return `It is larger than the limit of ${maxBytes} bytes.`;
}

/** The failure of a request that its caller aborted. */
export function abortedByCaller(): OutboundError {
  return new OutboundError('aborted', 'The request was given up before an answer came.');
}

/** The failure of a request whose deadline passed. */
export function deadlinePassed(timeoutMs: number): OutboundError {
  return new OutboundError('timeout', `There was no complete answer within ${timeoutMs / 1000} s.`);
}

/**
 * Translates a fault of the connection for the caller. `isAnswered`: the head of an answer had arrived before; `denied`:
 * the message when the guard refuses the destination.
 */
export function failureOf(
  error: Error,
  { isAnswered, denied }: { readonly isAnswered: boolean; readonly denied: string },
): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof DestinationRefused) return new OutboundError('egress_denied', denied);
  if (error instanceof ConnectionFailed) {
    const { cause } = error;
    return new OutboundError('unreachable', UNREACHABLE, { cause, tlsReason: tlsReasonOf(cause) });
  }
  if (isMalformed(error)) return new OutboundError('bad_response', MALFORMED, { cause: error });
  if (isClosed(error) && !isAnswered) return new OutboundError('unreachable', CLOSED, { cause: error });
  return new OutboundError('bad_response', BROKEN_OFF, { cause: error });
}

const UNREACHABLE = 'No usable connection could be made.';
const CLOSED = 'The connection was closed without an answer.';
const MALFORMED = 'The answer cannot be used. It is not valid HTTP, or its headers are too large.';
const BROKEN_OFF = 'The connection broke off before the answer was complete.';

const MALFORMED_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
/** The messages of undici for an answer that its parser accepts and that belongs to no request. */
const UNASKED = new Set(['bad response', 'bad upgrade']);

function isMalformed(error: Error): boolean {
  return MALFORMED_CODES.has(codeOf(error)) || error.name === 'HTTPParserError' || UNASKED.has(error.message);
}

function isClosed(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error)) || error.message === 'other side closed';
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

import { OutboundError } from './egress.ts';
import { ConnectionFailed, DestinationRefused } from './guard/connector.ts';

/** One sentence for every refusal: it must not tell a name from an address, or an open port from a closed one. */
export const DENIED =
  'The egress policy does not allow this address. Use a permitted one, or ask the operator about EGRESS_ALLOW.';

/** An answer came, and it cannot be used. */
export function refusedAnswer(why: string): OutboundError {
  return new OutboundError('bad_response', `The answer of the server cannot be used. ${why}`);
}

/** Why an answer of more bytes than the limit is refused. */
export function tooLarge(maxBytes: number): string {
  return `It is larger than the limit of ${maxBytes} bytes.`;
}

/** The caller gave the request up. */
export function givenUp(): OutboundError {
  return new OutboundError('aborted', 'The request was given up before an answer came.');
}

/** The deadline passed. */
export function tooLate(timeoutMs: number): OutboundError {
  return new OutboundError('timeout', `The server did not answer in full within ${timeoutMs / 1000} s.`);
}

/** What a fault of the connection means to the caller. `isAnswered`: the head of an answer came before it. */
export function failureOf(error: Error, isAnswered: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof DestinationRefused) return new OutboundError('egress_denied', DENIED);
  if (error instanceof ConnectionFailed) {
    return new OutboundError('unreachable', UNREACHABLE, { cause: error.cause });
  }
  if (isMalformed(error)) return new OutboundError('bad_response', MALFORMED, { cause: error });
  if (isClosed(error) && !isAnswered) return new OutboundError('unreachable', CLOSED, { cause: error });
  return new OutboundError('bad_response', BROKEN_OFF, { cause: error });
}

const UNREACHABLE = 'The server cannot be reached: no usable connection to it could be made.';
const CLOSED = 'The server cannot be reached: it closed the connection without an answer.';
const MALFORMED =
  'The answer of the server cannot be used. It is not valid HTTP, or its headers are too large.';
const BROKEN_OFF = 'The connection to the server broke off before the answer was complete.';

const MALFORMED_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
/** The messages of undici for an answer that its parser accepts and that answers nothing it was asked. */
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

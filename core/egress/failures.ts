import { DestinationRefused } from './connector.ts';
import { OutboundError } from './egress.ts';

/** One sentence for every refusal: it must not tell a name from an address, or an open port from a closed one. */
export const DENIED =
  'The egress policy does not allow this address. Use a permitted one, or ask the operator about EGRESS_ALLOW.';

/** An answer came, and it cannot be used. */
export function refusedAnswer(why: string): OutboundError {
  return new OutboundError('bad_response', `The answer of the server cannot be used. ${why}`);
}

/** What a fault of the connection means to the caller; `sent` tells whether there was a connection to send it on. */
export function failureOf(error: Error, sent: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof DestinationRefused) return new OutboundError('egress_denied', DENIED);
  if (!sent) return new OutboundError('unreachable', UNREACHABLE, { cause: error });
  return new OutboundError('bad_response', isMalformed(error) ? MALFORMED : BROKEN_OFF, { cause: error });
}

const UNREACHABLE = 'The server cannot be reached: no usable connection to it could be made.';
const MALFORMED =
  'The answer of the server cannot be used. It is not valid HTTP, or its headers are too large.';
const BROKEN_OFF = 'The connection to the server broke off before the answer was complete.';

const MALFORMED_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

function isMalformed(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return MALFORMED_CODES.has(code) || code.startsWith('HPE_');
}

import { DestinationRefused } from './connector.ts';
import { OutboundError } from './egress.ts';

/** One sentence for every refusal: it must not tell a name from an address, or an open port from a closed one. */
export const DENIED =
  'The egress policy does not allow this address. Use a permitted one, or ask the operator about EGRESS_ALLOW.';

/** An answer came, and it cannot be used. */
export function refusedAnswer(why: string): OutboundError {
  return new OutboundError('bad_response', `The answer of the server cannot be used. ${why}`);
}

/** What a fault of the connection means to the caller; `answered` tells whether the answer had begun. */
export function failureOf(error: Error, answered: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof DestinationRefused) return new OutboundError('egress_denied', DENIED);
  if (answered || isMalformed(error)) {
    return new OutboundError('bad_response', 'The answer of the server is broken off or is not HTTP.', {
      cause: error,
    });
  }
  return new OutboundError(
    'unreachable',
    'The server cannot be reached: no usable connection to it could be made.',
    {
      cause: error,
    },
  );
}

const MALFORMED = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
]);

function isMalformed(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return MALFORMED.has(code) || code.startsWith('HPE_');
}

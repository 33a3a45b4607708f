import type { CallRow } from '../recording/call-row.ts';
import type { CallErrorCode } from '../contract.ts';

const DESCRIPTIONS: Readonly<Partial<Record<CallErrorCode, string>>> = {
  upstream_unreachable: 'The endpoint could not be reached.',
  upstream_timeout: 'The endpoint did not answer in full in time.',
  upstream_rejected: 'The endpoint refused the call.',
  upstream_error: 'The endpoint failed.',
  upstream_bad_response: 'The answer of the endpoint could not be used.',
  output_invalid: 'The endpoint answered what the output schema of the version does not allow.',
  egress_denied: 'The egress policy does not allow the address of the endpoint.',
  circuit_open: 'The circuit of the endpoint was open, so it was not asked.',
  canceled: 'The client went away before the endpoint answered.',
  interrupted: 'The call was interrupted.',
};

/**
 * The error message of a failed call under a payload policy. It never contains text of the endpoint, a transport or a
 * guard, which may quote payload. Null when the call succeeded.
 */
export function plainMessage({ error_code: code, error_message: message }: CallRow): string | null {
  if (message === null) return null;
  const description = (code === null ? undefined : DESCRIPTIONS[code]) ?? 'The call failed.';
  return `${description} What was said beyond that is not kept, by the payload policy of the algorithm.`;
}

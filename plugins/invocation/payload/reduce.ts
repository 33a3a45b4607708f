import type { PayloadField, PayloadPolicy, PayloadRule, PayloadState, CallErrorCode } from '../contract.ts';
import type { CallRow } from '../recording/call-row.ts';
import { segmentsOf } from './pointers.ts';
import { redactAt } from './redact.ts';

/** A keyed digest: equal for equal texts, and not reversible. */
export type Digest = (text: string) => string;

/** The fields of a record that a policy covers. */
export const PAYLOAD_FIELDS: readonly PayloadField[] = ['input_data', 'params', 'output_data'];

/** A payload field after reduction. */
interface Left {
  readonly text: string | null;
  readonly state?: PayloadState;
  readonly digest?: string;
}

/** The record reduced to what the policy keeps, with a note of what is missing. */
export function reduce(row: CallRow, policy: PayloadPolicy, digest: Digest): CallRow {
  const kept: Partial<Record<PayloadField, string | null>> = {};
  const note: Record<string, unknown> = {};
  const digests: Partial<Record<PayloadField, string>> = {};
  for (const field of PAYLOAD_FIELDS) {
    const left = leftOf(row[field], policy[field], digest);
    kept[field] = left.text;
    if (left.state) note[field] = left.state;
    if (left.digest) digests[field] = left.digest;
  }
  if (row.error_message !== null) note['error_message'] = 'redacted';
  if (Object.keys(digests).length > 0) note['digests'] = digests;
  const payload = Object.keys(note).length > 0 ? JSON.stringify(note) : null;
  return { ...row, ...kept, error_message: plainMessage(row), payload };
}

/** Reduces a field. One that cannot be reduced is dropped, so that a fault never stores more than the policy allows. */
function leftOf(text: string | null, rule: PayloadRule, digest: Digest): Left {
  if (text === null || rule.mode === 'store') return { text };
  try {
    if (rule.mode === 'redact') return redacted(text, rule.pointers);
    if (rule.mode === 'hash') return { text: null, state: 'hashed', digest: digestOf(text, digest) };
  } catch {
    return { text: null, state: 'dropped' };
  }
  return { text: null, state: 'dropped' };
}

function redacted(text: string, pointers: readonly string[]): Left {
  const value: unknown = JSON.parse(text);
  let found = false;
  for (const pointer of pointers) found = redactAt(value, segmentsOf(pointer)) || found;
  return found ? { text: JSON.stringify(value), state: 'redacted' } : { text };
}

function digestOf(text: string, digest: Digest): string {
  return `hmac-sha256:${digest(canonicalJson(JSON.parse(text)))}`;
}

/** The canonical text of a parsed JSON value (RFC 8785): no spaces, keys in the order of their UTF-16 code units. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`).join(',')}}`;
}

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
function plainMessage({ error_code: code, error_message: message }: CallRow): string | null {
  if (message === null) return null;
  const description = (code === null ? undefined : DESCRIPTIONS[code]) ?? 'The call failed.';
  return `${description} What was said beyond that is not kept, by the payload policy of the algorithm.`;
}

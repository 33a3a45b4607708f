import type { PreparedCall } from '../contract.ts';

/** What may be logged of an error that came of a call: only its kind where the payload is not kept, for it may quote it. */
export function loggable({ payloadPolicy }: PreparedCall, error: unknown): unknown {
  if (!payloadPolicy) return error;
  return error instanceof Error ? error.name : typeof error;
}

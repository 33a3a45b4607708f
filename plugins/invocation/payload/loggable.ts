import type { PreparedCall } from '../contract.ts';

/** The part of an error that may be logged: under a payload policy only its kind, as a message may quote payload. */
export function loggable({ payloadPolicy }: PreparedCall, error: unknown): unknown {
  if (!payloadPolicy) return error;
  return error instanceof Error ? error.name : typeof error;
}

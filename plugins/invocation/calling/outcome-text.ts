import type { CallErrorCode, CallOutcome } from '../contract.ts';

/** An outcome as it is stored: the output as JSON text. `code` and `message` are null when the call succeeded. */
export interface OutcomeText {
  readonly code: CallErrorCode | null;
  readonly message: string | null;
  readonly output: string | null;
  readonly seconds: number;
}

/** Seconds are kept to the microsecond, as the sums of them are. */
const toMicroseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1e6)) / 1e6;

/** Writes the output of an outcome once, for the record and for the answer. */
export function textOf(outcome: CallOutcome): OutcomeText {
  const seconds = toMicroseconds(outcome.seconds);
  if (!outcome.ok) return { code: outcome.code, message: clean(outcome.message), output: null, seconds };
  try {
    return { code: null, message: null, output: JSON.stringify(outcome.output), seconds };
  } catch {
    const message = 'The endpoint answered what cannot be written as JSON.';
    return { code: 'upstream_bad_response', message, output: null, seconds };
  }
}

/** Text that both databases hold. */
function clean(message: string): string {
  return message.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

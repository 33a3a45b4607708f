import { CALL_ERROR_CODES, type CallOutcome } from '../contract.ts';

const CODES: ReadonlySet<unknown> = new Set(CALL_ERROR_CODES);

/** Returns an outcome that a plugin made. Throws for one that only the compiler would refuse, and which cannot be recorded. */
export function checkedOutcome(outcome: CallOutcome, of: string): CallOutcome {
  const fault = faultOf((outcome ?? {}) as Readonly<Record<string, unknown>>);
  if (fault !== undefined) throw new Error(`${of} made an outcome ${fault}.`);
  return outcome;
}

function faultOf({
  ok,
  seconds,
  output,
  code,
  message,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof ok !== 'boolean') return 'whose "ok" is no boolean';
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds < Infinity))
    return `whose "seconds" is ${typeof seconds === 'number' ? seconds : 'no number'}`;
  if (ok) return isObject(output) ? undefined : 'whose "output" is no object';
  if (!CODES.has(code)) return `whose "code" is none of ${CALL_ERROR_CODES.join(', ')}`;
  return typeof message === 'string' ? undefined : 'whose "message" is no text';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

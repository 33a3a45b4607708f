import { EVERY } from './pointers.ts';

/** Replaces a redacted value in a record. */
export const REDACTED = '[redacted]';

const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Replaces every value to which the segments lead, in place, and returns whether there was one. Follows own members
 * only, so that names such as `__proto__` are safe.
 */
export function redactAt(value: unknown, names: readonly string[], at = 0): boolean {
  const name = names[at];
  if (name === undefined || typeof value !== 'object' || value === null) return false;
  const members = value as Record<string | number, unknown>;
  const isLast = at === names.length - 1;
  let found = false;
  for (const key of keysFor(value, name)) {
    if (isLast) members[key] = REDACTED;
    if (isLast || redactAt(members[key], names, at + 1)) found = true;
  }
  return found;
}

function keysFor(value: object, name: string): Iterable<string | number> {
  if (name === EVERY) return Array.isArray(value) ? value.keys() : Object.keys(value);
  const isThere = Object.hasOwn(value, name) && (!Array.isArray(value) || INDEX.test(name));
  return isThere ? [name] : [];
}

import { EVERY } from './pointers.ts';

/** What stands in a record in the place of a redacted value. */
export const REDACTED = '[redacted]';

const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Puts the marker in every place of a parsed JSON value to which the names lead. Whether there was one: places that
 * are not there are left alone. Only the value's own members are followed, whatever they are called.
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

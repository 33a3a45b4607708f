import { ValidationFailed } from '../errors/core-problems.ts';
import { isId } from '../support/ids.ts';

/** The cursor of a list by time-ordered ids, after an entry: its id in base64url, so that clients treat it as opaque. */
export function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor. Throws `ValidationFailed` for a text that is not a cursor of this service. */
export function idIn(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (isId(id) && cursorOf(id) === cursor) return id;
  const message = 'is not a cursor that this service gave. Use `next_cursor` of the page before.';
  throw ValidationFailed('The cursor cannot be read.', { errors: [{ pointer: '/query/cursor', message }] });
}

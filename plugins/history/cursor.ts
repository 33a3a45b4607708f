import { isId, ValidationFailed } from '../../core/index.ts';

/** The cursor behind an entry: its id, written so that nobody takes it for one. */
export function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor. Throws `ValidationFailed` for what is none of ours. */
export function placeOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (isId(id) && cursorOf(id) === cursor) return id;
  const message = 'is not a cursor that this service gave. Use `next_cursor` of the page before.';
  throw ValidationFailed('The cursor cannot be read.', { errors: [{ pointer: '/query/cursor', message }] });
}

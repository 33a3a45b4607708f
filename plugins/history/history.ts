import { isId, token, ValidationFailed, type UserPrincipal } from '../../core/index.ts';
import type { CallFilter, CallLog } from '../invocation/contract.ts';
import { dateRange } from './dates.ts';
import type { HistoryQuery } from './schemas.ts';

/** Shows callers what they called. */
export interface History {
  /** A page of the caller's own records, as JSON text of a `HistoryAnswer`. Throws `ValidationFailed`. */
  page(principal: UserPrincipal, query: HistoryQuery): Promise<string>;
}

export const HISTORY = token<History>('history:history');

export function createHistory({ calls }: { readonly calls: CallLog }): History {
  return {
    page: async (principal, query) => {
      const { algorithm_id: algorithmId, status, skip, limit } = query;
      const filter: CallFilter = { userId: principal.userId, algorithmId, status, ...dateRange(query) };
      const before = placeOf(query.cursor);
      const [found, total] = await Promise.all([
        calls.entries(filter, { skip, limit: limit + 1, before }),
        calls.count(filter),
      ]);
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      const history = shown.map(({ json }) => json).join(',');
      const rest = { count: shown.length, skip, limit, total, next_cursor: last ? cursorOf(last.id) : null };
      return `{"history":[${history}],${JSON.stringify(rest).slice(1)}`;
    },
  };
}

/** A cursor is the id of the last entry, written so that nobody takes it for one. */
function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function placeOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (isId(id) && cursorOf(id) === cursor) return id;
  const message = 'is not a cursor that this service gave. Use `next_cursor` of the page before.';
  throw ValidationFailed('The cursor cannot be read.', { errors: [{ pointer: '/query/cursor', message }] });
}

import { lowestIdAt, type SqlValue } from '../../../core/index.ts';
import type { CallFilter, FinishedCall } from '../contract.ts';

/** A `WHERE` clause and its values; empty when everything matches. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Translates a filter to SQL. Bounds in time become bounds on the time-ordered ids, so that one index serves both. */
export function conditionOf(
  filter: CallFilter,
  { before }: { readonly before?: string | undefined } = {},
): Condition {
  const end = filter.until === undefined ? undefined : lowestIdAt(filter.until);
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const add = (sql: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    parts.push(sql);
    values.push(value);
  };
  add('user_id = ?', filter.userId);
  add('algorithm_id = ?', filter.algorithmId);
  add('status = ?', filter.status);
  add('id >= ?', filter.from === undefined ? undefined : lowestIdAt(filter.from));
  // Only the lower of two upper bounds, because SQLite seeks in the index by the first one.
  add('id < ?', before !== undefined && end !== undefined && end < before ? end : (before ?? end));
  return { sql: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}

const ENDED = {
  success: true,
  failed: true,
} as const satisfies Record<FinishedCall['status'], true>;

/**
 * Splits a filter into filters that a single range of an index serves. The index of a user's calls of an algorithm is
 * in the order of ids within each status only.
 */
export function rangesOf(filter: CallFilter): readonly CallFilter[] {
  const { userId, algorithmId, status } = filter;
  if (userId === undefined || algorithmId === undefined || status !== undefined) return [filter];
  return Object.keys(ENDED).map((ended) => ({ ...filter, status: ended }));
}

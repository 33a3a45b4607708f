import { lowestIdAt, type SqlValue } from '../../../core/index.ts';
import type { CallFilter, FinishedCall } from '../contract.ts';

/** A `WHERE` clause and its values; empty when everything matches. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Joins the conditions whose value is given, in their order. Each has a single `?`. */
export function where(conditions: readonly (readonly [sql: string, SqlValue | undefined])[]): Condition {
  const given = conditions.filter((one): one is [string, SqlValue] => one[1] !== undefined);
  const sql = given.length > 0 ? ` WHERE ${given.map(([part]) => part).join(' AND ')}` : '';
  return { sql, values: given.map(([, value]) => value) };
}

/** Translates a filter to SQL. Bounds in time become bounds on the time-ordered ids, so that one index serves both. */
export function conditionOf(
  filter: CallFilter,
  { before }: { readonly before?: string | undefined } = {},
): Condition {
  const end = filter.until === undefined ? undefined : lowestIdAt(filter.until);
  return where([
    ['user_id = ?', filter.userId],
    ['algorithm_id = ?', filter.algorithmId],
    ['status = ?', filter.status],
    ['id >= ?', filter.from === undefined ? undefined : lowestIdAt(filter.from)],
    // Only the lower of two upper bounds, because SQLite seeks in the index by the first one.
    ['id < ?', before !== undefined && end !== undefined && end < before ? end : (before ?? end)],
  ]);
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

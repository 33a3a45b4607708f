import { lowestIdAt, type SqlValue } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';

/** A `WHERE` with its values; empty when everything matches. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Bounds on ids, beside those in time; `before` is not included. */
interface IdBounds {
  readonly lowest?: string | undefined;
  readonly before?: string | undefined;
}

/** Bounds in time are bounds on the time-ordered ids, so that one index serves filter and order. */
export function conditionOf(filter: CallFilter, { lowest, before }: IdBounds): Condition {
  const first = filter.from === undefined ? undefined : lowestIdAt(filter.from);
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
  add('version_id = ?', filter.versionId);
  add('status = ?', filter.status);
  // Repeats what the line above says, for the index of what did not succeed is chosen by this text.
  if (filter.status !== undefined && filter.status !== 'success') parts.push(`status <> 'success'`);
  // One bound on each side, for SQLite finds its way in the index by the first alone.
  add('id >= ?', lowest === undefined ? first : higher(lowest, first));
  add('id < ?', before === undefined ? end : lower(before, end));
  return { sql: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}

function higher(id: string, other: string | undefined): string {
  return other !== undefined && other > id ? other : id;
}

function lower(id: string, other: string | undefined): string {
  return other !== undefined && other < id ? other : id;
}

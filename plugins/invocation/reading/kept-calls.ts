import type { Database, PreparedRead, SqlValue } from '../../../core/index.ts';
import { ALL } from '../rollups/call-totals.ts';
import type { CallFilter } from '../contract.ts';

/** UTC days from one to another, both included, as `YYYY-MM-DD`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** All time, which the roll-ups hold as a day of its own. */
export const ALL_TIME: Days = { from: ALL, to: ALL };

/** What roll-ups can tell of a filter: they know no versions and no moments. */
export type KeptOf = Pick<CallFilter, 'userId' | 'algorithmId' | 'status'>;

/**
 * How many records there are of some days, from the roll-ups alone: what was counted when calls ended, less what was
 * thrown away since.
 */
export type KeptCalls = (of: KeptOf, days: Days) => Promise<number>;

export function createKeptCalls(database: Database): KeptCalls {
  const statements = new Map<string, PreparedRead<{ readonly kept: number }>>();
  return async (of, days) => {
    const { table, condition, values } = rollUpsOf(of, days);
    const sql = `SELECT COALESCE(SUM(calls - gone), 0) AS kept FROM ${table} WHERE ${condition}`;
    const statement = statements.get(sql) ?? database.read(sql);
    statements.set(sql, statement);
    return (await statement.first(...values))!.kept;
  };
}

/** Where the roll-ups of a filter are. */
export function rollUpsOf({ userId, algorithmId, status }: KeptOf, { from, to }: Days) {
  const isOfUser = userId !== undefined;
  const parts = [isOfUser ? 'user_id = ?' : 'algorithm_id = ?', 'day BETWEEN ? AND ?'];
  const values: SqlValue[] = [isOfUser ? userId : (algorithmId ?? ALL), from, to];
  const add = (part: string, value: string | undefined): void => {
    if (value === undefined) return;
    parts.push(part);
    values.push(value);
  };
  if (isOfUser) add('algorithm_id = ?', algorithmId);
  add('status = ?', status);
  return {
    table: isOfUser ? 'invocation_user_totals' : 'invocation_algorithm_totals',
    condition: parts.join(' AND '),
    values,
  };
}

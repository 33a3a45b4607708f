import type { Database, SqlValue } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { ALL } from './call-rollups.ts';

/** UTC days from one to another, both included, as `YYYY-MM-DD`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** All time, which the roll-ups hold as a day of its own. */
export const ALL_TIME: Days = { from: ALL, to: ALL };

/**
 * How many records there are of some days, from the roll-ups alone: what was counted when calls ended, less what
 * retention has deleted since. Of a filter it takes what roll-ups know: user, algorithm and status.
 */
export type KeptCalls = (filter: CallFilter, days: Days) => Promise<number>;

export function createKeptCalls(database: Pick<Database, 'read'>): KeptCalls {
  return async ({ userId, algorithmId, status }, { from, to }) => {
    const isOfUser = userId !== undefined;
    const table = isOfUser ? 'invocation_user_totals' : 'invocation_algorithm_totals';
    const parts = [isOfUser ? 'user_id = ?' : 'algorithm_id = ?', 'day BETWEEN ? AND ?'];
    const values: SqlValue[] = [isOfUser ? userId : (algorithmId ?? ALL), from, to];
    const add = (part: string, value: string | undefined): void => {
      if (value === undefined) return;
      parts.push(part);
      values.push(value);
    };
    if (isOfUser) add('algorithm_id = ?', algorithmId);
    add('status = ?', status);
    const sql = `SELECT COALESCE(SUM(calls - deleted), 0) AS kept FROM ${table} WHERE ${parts.join(' AND ')}`;
    return (await database.read<{ kept: number }>(sql).first(...values))!.kept;
  };
}

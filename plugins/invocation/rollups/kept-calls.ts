import type { Database, SqlValue } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { ALL } from './call-rollups.ts';

/** A range of UTC days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** All time, which is a day of its own in the roll-ups. */
export const ALL_TIME: Days = { from: ALL, to: ALL };

/**
 * Counts the existing records of some days from the roll-ups: the calls that ended, less those that retention deleted.
 * Uses the user, the algorithm and the status of the filter.
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

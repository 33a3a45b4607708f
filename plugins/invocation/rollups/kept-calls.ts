import type { Database } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { where, type Condition } from '../reading/call-condition.ts';
import { ALL } from './call-rollups.ts';

/** A range of UTC days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** All time, which is a day of its own in the roll-ups. */
export const ALL_TIME: Days = { from: ALL, to: ALL };

/** The sums of some days, as what follows `FROM`. Uses the user, the algorithm and the status of the filter. */
export function totalsOf({ userId, algorithmId, status }: CallFilter, { from, to }: Days): Condition {
  const table = userId === undefined ? 'invocation_algorithm_totals' : 'invocation_user_totals';
  const { sql, values } = where([
    ['user_id = ?', userId],
    ['algorithm_id = ?', userId === undefined ? (algorithmId ?? ALL) : algorithmId],
    ['day >= ?', from],
    ['day <= ?', to],
    ['status = ?', status],
  ]);
  return { sql: `${table}${sql}`, values };
}

/** Counts the existing records of some days from the roll-ups: the calls that ended, less those that retention deleted. */
export type KeptCalls = (filter: CallFilter, days: Days) => Promise<number>;

export function createKeptCalls(database: Pick<Database, 'read'>): KeptCalls {
  return async (filter, days) => {
    const { sql, values } = totalsOf(filter, days);
    const kept = `SELECT COALESCE(SUM(calls - deleted), 0) AS kept FROM ${sql}`;
    return (await database.read<{ kept: number }>(kept).first(...values))!.kept;
  };
}

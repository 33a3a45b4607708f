import type { Database } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { ALL_TIME, createKeptCalls } from '../rollups/kept-calls.ts';
import { conditionOf, rangesOf } from './call-condition.ts';
import { splitByDays } from './whole-days.ts';

/**
 * Counts matching calls: whole days from the roll-ups, whose cost does not grow with the records, and the parts of days
 * at the bounds, two at most, in an index. Open calls are few.
 */
export function createCallCount(database: Pick<Database, 'read'>): (filter: CallFilter) => Promise<number> {
  const kept = createKeptCalls(database);
  const countRange = async (table: string, range: CallFilter): Promise<number> => {
    const { sql, values } = conditionOf(range);
    const statement = database.read<{ calls: number }>(`SELECT COUNT(*) AS calls FROM ${table}${sql}`);
    return (await statement.first(...values))!.calls;
  };
  return async (filter) => {
    const { days, parts } = splitByDays(filter);
    const ranges = parts.flatMap((part) => rangesOf({ ...filter, ...part }));
    const counts = await Promise.all([
      days ? kept(filter, days === 'all' ? ALL_TIME : days) : 0,
      ...ranges.map((range) => countRange('invocation_calls', range)),
      countRange('invocation_open_calls', filter),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  };
}

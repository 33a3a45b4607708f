import { type Database, DAY_MS, isoDay } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { ALL_TIME, createKeptCalls, type Days } from '../rollups/kept-calls.ts';
import { conditionOf, rangesOf } from './call-condition.ts';

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

const LAST_DAY = Date.UTC(9999, 11, 31);

/** A span of time in milliseconds since 1970; `from` is inclusive, `until` exclusive. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** The bounds of a filter as whole UTC days, and the remaining parts of days at both ends. */
export interface DaySplit {
  readonly days: 'all' | Days | undefined;
  readonly parts: readonly Span[];
}

/** Splits the bounds of a filter at midnight UTC. */
function splitByDays({ from = -Infinity, until = Infinity }: CallFilter): DaySplit {
  if (from >= until) return { days: undefined, parts: [] };
  if (from === -Infinity && until === Infinity) return { days: 'all', parts: [] };
  const first = Math.ceil(from / DAY_MS) * DAY_MS;
  const end = Math.floor(until / DAY_MS) * DAY_MS;
  if (first >= end) return { days: undefined, parts: [{ from, until }] };
  const ends = [
    { from, until: first },
    { from: end, until },
  ];
  return {
    days: { from: dayWithin(first), to: dayWithin(end - DAY_MS) },
    parts: ends.filter((part) => part.from < part.until),
  };
}

/** The day of a time, clamped to years of four digits. No call began before 1970. */
function dayWithin(milliseconds: number): string {
  return isoDay(Math.min(Math.max(milliseconds, 0), LAST_DAY));
}

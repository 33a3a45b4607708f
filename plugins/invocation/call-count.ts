import { timeOfId } from '../../core/index.ts';
import type { CallFilter, CallStatistics } from './contract.ts';
import { splitByDays } from './whole-days.ts';

/** Where counts come from. */
export interface CountSources {
  readonly statistics: CallStatistics;
  readonly countRows: (filter: CallFilter) => Promise<number>;
  /** The id of the newest record that was thrown away; empty when none was. */
  readonly horizon: () => Promise<string>;
}

/**
 * Counts the records that match. Whole days come from the roll-ups, which cost the same at any number of records; only
 * days that the bounds cut are counted row by row, and filters by version, of which there are no roll-ups.
 */
export async function countCalls(
  filter: CallFilter,
  { statistics, countRows, horizon }: CountSources,
): Promise<number> {
  if (filter.versionId !== undefined) return countRows(filter);
  const { days, rest } = splitByDays(above(await horizon(), filter));
  const counts = rest.map((span) => countRows({ ...filter, ...span }));
  if (days) counts.push(countDays(filter, days, statistics));
  return (await Promise.all(counts)).reduce((sum, part) => sum + part, 0);
}

/** Roll-ups still count the records that were thrown away; the day of the last of them is counted row by row. */
function above(horizon: string, filter: CallFilter): CallFilter {
  if (horizon === '') return filter;
  const from = Math.max(filter.from ?? -Infinity, timeOfId(horizon) + 0.5);
  return { ...filter, from };
}

async function countDays(
  filter: CallFilter,
  days: 'all' | { readonly from: string; readonly to: string },
  statistics: CallStatistics,
): Promise<number> {
  const { total_calls, status_counts } =
    days === 'all' ? await statistics.totals(filter) : await statistics.between(filter, days.from, days.to);
  return filter.status === undefined ? total_calls : (status_counts[filter.status] ?? 0);
}

import type { CallFilter, CallStatistics } from './contract.ts';
import { splitByDays } from './whole-days.ts';

/**
 * Counts the records that match. Whole days come from the roll-ups, which cost the same at any number of records; only
 * days that the bounds cut are counted row by row, and filters by version, of which there are no roll-ups.
 */
export async function countCalls(
  filter: CallFilter,
  statistics: CallStatistics,
  countRows: (filter: CallFilter) => Promise<number>,
): Promise<number> {
  if (filter.versionId !== undefined) return countRows(filter);
  const { days, rest } = splitByDays(filter);
  const counts = rest.map((span) => countRows({ ...filter, ...span }));
  if (days) counts.push(countDays(filter, days, statistics));
  return (await Promise.all(counts)).reduce((sum, part) => sum + part, 0);
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

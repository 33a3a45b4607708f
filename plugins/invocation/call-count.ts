import { timeOfId } from '../../core/index.ts';
import type { CallFilter, CallStatistics, CallStatus } from './contract.ts';
import { splitByDays } from './whole-days.ts';

/** The only ones that roll-ups know, so that no others can be taken from them. */
const ENDED: readonly CallStatus[] = ['success', 'failed', 'canceled'];

/** Where counts come from. */
export interface CountSources {
  readonly statistics: CallStatistics;
  readonly countRows: (filter: CallFilter) => Promise<number>;
  /** The id of the newest record that was thrown away; empty when none was. */
  readonly horizon: () => Promise<string>;
}

/**
 * Counts the records that match. Whole days come from the roll-ups, which cost the same at any number of records; only
 * days that the bounds cut are counted row by row, from their shorter end where that is the same, and filters by version,
 * of which there are no roll-ups.
 */
export async function countCalls(
  filter: CallFilter,
  { statistics, countRows, horizon }: CountSources,
): Promise<number> {
  if (filter.versionId !== undefined) return countRows(filter);
  const kept = keptFrom(await horizon());
  const bounds = { ...filter, from: Math.max(filter.from ?? -Infinity, kept) };
  const ended = ENDED.filter((status) => filter.status === undefined || filter.status === status);
  const { days, added, taken } = splitByDays(bounds, ended.length > 0 ? kept : Infinity);
  const sum = async (parts: readonly CallFilter[]): Promise<number> =>
    (await Promise.all(parts.map(countRows))).reduce((all, one) => all + one, 0);
  // Before the roll-ups: calls that end in between are then counted too much, and none is taken that they lack.
  const less = await sum(taken.flatMap((span) => ended.map((status) => ({ ...filter, ...span, status }))));
  const [more, whole] = await Promise.all([
    sum(added.map((span) => ({ ...filter, ...span }))),
    days ? countDays(bounds, days, statistics) : 0,
  ]);
  return more + whole - less;
}

/** From when on the roll-ups agree with the records: they still count those that were thrown away. */
function keptFrom(horizon: string): number {
  return horizon === '' ? -Infinity : timeOfId(horizon) + 0.5;
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

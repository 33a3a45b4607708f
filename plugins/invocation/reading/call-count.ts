import type { CallFilter, CallStatus } from '../contract.ts';
import { ALL_TIME, type KeptCalls } from './kept-calls.ts';
import { splitByDays } from './whole-days.ts';

/** The only ones that roll-ups know, so that no others can be taken from them. */
const ENDED: readonly CallStatus[] = ['success', 'failed', 'canceled'];

/** Where counts come from. */
export interface CountSources {
  readonly kept: KeptCalls;
  readonly countRows: (filter: CallFilter) => Promise<number>;
}

/**
 * Counts the records that match. Whole days come from the roll-ups, which cost the same at any number of records; only
 * days that the bounds cut are counted row by row, from their shorter end, and filters by version, of which there are no
 * roll-ups.
 */
export async function countCalls(filter: CallFilter, { kept, countRows }: CountSources): Promise<number> {
  if (filter.versionId !== undefined) return countRows(filter);
  const ended = ENDED.filter((status) => filter.status === undefined || filter.status === status);
  const { days, added, taken } = splitByDays(filter);
  const sum = async (parts: readonly CallFilter[]): Promise<number> =>
    (await Promise.all(parts.map(countRows))).reduce((all, one) => all + one, 0);
  // Before the roll-ups: calls that end in between are then counted too much, and none is taken that they lack.
  const less = await sum(taken.flatMap((span) => ended.map((status) => ({ ...filter, ...span, status }))));
  const [more, whole] = await Promise.all([
    sum(added.map((span) => ({ ...filter, ...span }))),
    days ? kept(filter, days === 'all' ? ALL_TIME : days) : 0,
  ]);
  // Records that are thrown away in between are taken twice.
  return Math.max(0, more + whole - less);
}

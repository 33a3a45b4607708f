import { DAY_MS, isoDay } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import type { Days } from './kept-calls.ts';

export const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** A span in time; `from` is included, `until` is not. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** A filter's bounds as UTC days from midnight to midnight, and what they differ from them by. */
export interface DaySplit {
  readonly days: 'all' | Days | undefined;
  /** Within the bounds, but not within the days. */
  readonly added: readonly Span[];
  /** Within the days, but not within the bounds. */
  readonly taken: readonly Span[];
}

/**
 * Splits the bounds of a filter into whole UTC days and what is left at the ends. A day that lies mostly within the bounds
 * is taken whole, less the shorter part.
 */
export function splitByDays({ from = -Infinity, until = Infinity }: CallFilter): DaySplit {
  if (from >= until) return { days: undefined, added: [], taken: [] };
  if (from === -Infinity && until === Infinity) return { days: 'all', added: [], taken: [] };
  const first = nearestMidnight(from);
  const end = nearestMidnight(until);
  if (first >= end || until - from <= DAY_MS / 2)
    return { days: undefined, added: [{ from, until }], taken: [] };
  return {
    days: { from: dayWithin(first), to: dayWithin(end - DAY_MS) },
    added: [
      { from, until: first },
      { from: end, until },
    ].filter(isSpan),
    taken: [
      { from: first, until: from },
      { from: until, until: end },
    ].filter(isSpan),
  };
}

function nearestMidnight(milliseconds: number): number {
  return Math.round(milliseconds / DAY_MS) * DAY_MS;
}

function isSpan({ from, until }: Span): boolean {
  return from < until;
}

/** The day of a time, held within the years that have four digits. */
export function dayWithin(milliseconds: number): string {
  if (milliseconds < 0) return FIRST_DAY;
  return milliseconds > Date.UTC(9999, 11, 31) ? LAST_DAY : isoDay(milliseconds);
}

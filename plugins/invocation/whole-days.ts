import { dayOf } from './call-totals.ts';
import type { CallFilter } from './contract.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** A span in time; `from` is included, `until` is not. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** The UTC days that lie wholly within a filter's bounds, and the spans of days that are cut. */
export interface DaySplit {
  readonly days: 'all' | { readonly from: string; readonly to: string } | undefined;
  readonly rest: readonly Span[];
}

/** Splits the bounds of a filter into whole UTC days and what is left at the ends. */
export function splitByDays({ from = -Infinity, until = Infinity }: CallFilter): DaySplit {
  if (from >= until) return { days: undefined, rest: [] };
  if (from === -Infinity && until === Infinity) return { days: 'all', rest: [] };
  const firstWhole = Math.ceil(from / DAY_MS) * DAY_MS;
  const endOfWhole = Math.floor(until / DAY_MS) * DAY_MS;
  if (firstWhole >= endOfWhole) return { days: undefined, rest: [{ from, until }] };
  const rest = [
    { from, until: firstWhole },
    { from: endOfWhole, until },
  ].filter((span) => span.from < span.until);
  return { days: { from: dayWithin(firstWhole), to: dayWithin(endOfWhole - DAY_MS) }, rest };
}

/** The day of a time, held within the years that have four digits. */
function dayWithin(milliseconds: number): string {
  if (milliseconds < 0) return FIRST_DAY;
  return milliseconds > Date.UTC(9999, 11, 31) ? LAST_DAY : dayOf(milliseconds);
}

import { DAY_MS, isoDay } from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import type { Days } from '../rollups/kept-calls.ts';

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
export function splitByDays({ from = -Infinity, until = Infinity }: CallFilter): DaySplit {
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

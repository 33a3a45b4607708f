import { ValidationFailed } from '../errors/core-problems.ts';
import { DAY_MS } from '../support/clock.ts';
import { timeIn } from '../support/date-time.ts';

/** Bounds in milliseconds since 1970; `from` is inclusive, `until` exclusive. A missing bound is no bound. */
export interface DateRange {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * Parses the bounds of a query, both inclusive. A date is a whole UTC day; a date-time is a moment, in UTC unless it
 * has an offset. Throws `ValidationFailed` for any other text, and for days that do not exist.
 */
export function dateRange(query: {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}): DateRange {
  const start = momentOf('start_date', query.start_date);
  const end = momentOf('end_date', query.end_date);
  return {
    from: start && Math.min(Math.max(start.first, YEAR_0), YEAR_10000 - 1),
    until: end && Math.min(Math.max(end.last + 1, YEAR_0), YEAR_10000),
  };
}

/** Days are compared as texts with years of four digits, which an offset can leave: `9999-12-31T23:59:59-08:00`. */
const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.UTC(10_000, 0);

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last millisecond of a date or date-time. */
interface Moment {
  readonly first: number;
  readonly last: number;
}

function momentOf(name: string, text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined;
  const day = DATE.test(text) ? timeIn(`${text}T00:00:00Z`) : undefined;
  if (day !== undefined) return { first: day, last: day + DAY_MS - 1 };
  const time = timeIn(text);
  if (time !== undefined) return { first: time, last: time };
  const message = `"${text.slice(0, 40)}" is neither a date such as 2026-01-31 nor a date-time such as 2026-01-31T09:30:00Z. Write the plus of an offset as %2B.`;
  throw ValidationFailed(`The ${name} cannot be read.`, { errors: [{ pointer: `/query/${name}`, message }] });
}

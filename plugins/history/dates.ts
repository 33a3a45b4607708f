import { DAY_MS, timeIn, ValidationFailed } from '../../core/index.ts';

/** Milliseconds; `from` is included, `until` is not. A bound that was not given is absent. */
export interface DateRange {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * Reads the bounds of a query: a date is a whole UTC day, the last one included; a date-time is a moment, included,
 * in UTC unless it says otherwise. Throws `ValidationFailed` for anything else, and for days that do not exist.
 */
export function dateRange(query: {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}): DateRange {
  const start = momentOf('start_date', query.start_date);
  const end = momentOf('end_date', query.end_date);
  return { from: start?.first, until: end && end.last + 1 };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last millisecond that a text means. */
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

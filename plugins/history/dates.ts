import { DAY_MS, ValidationFailed } from '../../core/index.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

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

/** The first and the last millisecond that a text means. */
interface Moment {
  readonly first: number;
  readonly last: number;
}

function momentOf(name: string, text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined;
  const moment = wholeDay(text) ?? instant(text);
  if (moment) return moment;
  const message = `"${text.slice(0, 40)}" is neither a date such as 2026-01-31 nor a date-time such as 2026-01-31T09:30:00Z. Write the plus of an offset as %2B.`;
  throw ValidationFailed(`The ${name} cannot be read.`, { errors: [{ pointer: `/query/${name}`, message }] });
}

function wholeDay(text: string): Moment | undefined {
  const parts = DATE.exec(text);
  const first = parts ? dayStart(parts) : undefined;
  return first === undefined ? undefined : { first, last: first + DAY_MS - 1 };
}

function instant(text: string): Moment | undefined {
  const parts = DATE_TIME.exec(text);
  const day = parts ? dayStart(parts) : undefined;
  if (!parts || day === undefined) return undefined;
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
  const offset = offsetOf(parts[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const at = day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
  return { first: at, last: at };
}

/** Midnight UTC of a calendar day, or `undefined` when there is no such day. */
function dayStart(parts: RegExpExecArray): number | undefined {
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const at = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T00:00:00Z`);
  const date = new Date(at);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  return exists ? at : undefined;
}

/** Minutes east of UTC. */
function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const digits = text.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

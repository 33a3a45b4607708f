const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(.{10})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** The first millisecond of a UTC day such as `2026-01-31`; undefined for a day that does not exist. */
export function dayIn(text: string): number | undefined {
  const parts = DATE.exec(text);
  if (!parts) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const at = Date.parse(`${text}T00:00:00Z`);
  const date = new Date(at);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  return exists ? at : undefined;
}

/**
 * The milliseconds of an ISO 8601 date-time such as `2026-01-31T09:30:00Z`. Without an offset it is in UTC: many clients
 * omit the offset, and `Date.parse` would use the time zone of this machine. Undefined for anything else.
 */
export function timeIn(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  const day = parts ? dayIn(parts[1]!) : undefined;
  if (!parts || day === undefined) return undefined;
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 0)];
  const offset = offsetOf(parts[6]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const milliseconds = Number((parts[5] ?? '').padEnd(3, '0').slice(0, 3));
  return day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

/** Times are stored as text with years of four digits. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** As `timeIn`, and undefined also for a time that cannot be stored, such as the end of 9999 west of Greenwich. */
export function storableTime(text: string): number | undefined {
  const time = timeIn(text);
  return time !== undefined && time < YEAR_10000 ? time : undefined;
}

/** Minutes east of UTC. */
function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const digits = text.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Ranges that end now. */
export const RANGES = ['1d', '24h', '7d', '30d', '90d', '365d'] as const;
export type Range = (typeof RANGES)[number];

/** What an address says about the time that a screen shows; days that are named go before a range. */
export interface Period {
  readonly range?: Range | undefined;
  /** A day, `2026-01-31`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const HOURS: Readonly<Record<Range, number>> = {
  '1d': 24,
  '24h': 24,
  '7d': 168,
  '30d': 720,
  '90d': 2160,
  '365d': 8760,
};

export function readPeriod(search: Readonly<Record<string, unknown>>): Period {
  return {
    range: RANGES.find((range) => range === search['range']),
    from: dayIn(search['from']),
    to: dayIn(search['to']),
  };
}

function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}

export function isCustom({ from, to }: Period): boolean {
  return from !== undefined || to !== undefined;
}

interface Bounds {
  readonly start_date?: string;
  readonly end_date?: string;
}

/** The bounds of a list: days of the reader, or the last hours, rounded so that its pages belong together. */
export function momentsOf(period: Period): Bounds {
  if (isCustom(period)) {
    const { from, to } = period;
    return {
      ...(from && { start_date: new Date(`${from}T00:00`).toISOString() }),
      ...(to && { end_date: new Date(`${to}T23:59:59.999`).toISOString() }),
    };
  }
  if (!period.range) return {};
  const start = Date.now() - HOURS[period.range] * HOUR_MS;
  return { start_date: new Date(Math.floor(start / HOUR_MS) * HOUR_MS).toISOString() };
}

/** The bounds of figures, which are of whole days in UTC; the present day is the last one of a range. */
export function daysOf(period: Period): Bounds {
  if (isCustom(period)) {
    const { from, to } = period;
    return { ...(from && { start_date: from }), ...(to && { end_date: to }) };
  }
  const days = HOURS[period.range ?? '30d'] / 24;
  return { start_date: new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10) };
}

/** A series has at most 1,000 points, and hours are kept for 60 days. */
const MOST_DAYS_BY_HOUR = 41;

/** Whether the figures of a period can be shown by hour. */
export function hasHours(period: Period): boolean {
  const { start_date: start, end_date: end } = daysOf(period);
  if (!start) return false;
  const until = end ? Date.parse(end) + DAY_MS : Date.now();
  return (
    until - Date.parse(start) <= MOST_DAYS_BY_HOUR * DAY_MS && Date.now() - Date.parse(start) < 60 * DAY_MS
  );
}

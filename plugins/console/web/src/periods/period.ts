/** Ranges that end now. */
export const RANGES = ['15m', '1h', '6h', '24h', '7d', '30d', '90d', '365d'] as const;
export type Range = (typeof RANGES)[number];

/** What an address says about the time that a screen shows; times that are named go before a range. */
export interface Period {
  readonly range?: Range | undefined;
  /** A day or a minute in UTC: `2026-01-31`, `2026-01-31T09:30Z`. */
  readonly from?: string | undefined;
  /** A day, which is included, or a minute, which is not. */
  readonly to?: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const LENGTHS: Readonly<Record<Range, number>> = {
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  '365d': 365 * DAY_MS,
};

export function readPeriod(search: Readonly<Record<string, unknown>>): Period {
  return {
    range: RANGES.find((range) => range === search['range']),
    from: timeIn(search['from']),
    to: timeIn(search['to']),
  };
}

function timeIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}Z)?$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}

export function isCustom({ from, to }: Period): boolean {
  return from !== undefined || to !== undefined;
}

/** A minute as an address has it. */
export function minuteOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16)}Z`;
}

export function isDay(time: string): boolean {
  return !time.includes('T');
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
      ...(from && { start_date: new Date(isDay(from) ? `${from}T00:00` : from).toISOString() }),
      ...(to && { end_date: new Date(isDay(to) ? `${to}T23:59:59.999` : Date.parse(to) - 1).toISOString() }),
    };
  }
  if (!period.range) return {};
  const start = Date.now() - LENGTHS[period.range];
  const size = Math.min(HOUR_MS, LENGTHS[period.range] / 15);
  return { start_date: new Date(Math.floor(start / size) * size).toISOString() };
}

/** What a point of a chart covers, the shortest first. */
export const BUCKETS = ['minute', 'hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const BUCKET_MS: Readonly<Record<Bucket, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };
/** For how long the service keeps the points. */
const KEPT_MS: Readonly<Record<Bucket, number>> = { minute: 48 * HOUR_MS, hour: 60 * DAY_MS, day: Infinity };
/** With more points than this, bars become too thin to tell apart. */
const USUAL_POINTS = 360;
const MOST_POINTS = 1_000;

/** The time of figures, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Whether it goes on, so that new calls belong to it. */
  readonly isOpen: boolean;
}

/** The time of figures; days are those of UTC. */
export function spanOf(period: Period, byDefault: Range, now: number): Span {
  const { from, to, range = byDefault } = period;
  if (!isCustom(period)) return { from: now - LENGTHS[range], to: now, isOpen: true };
  const end = to === undefined ? now : Date.parse(to) + (isDay(to) ? DAY_MS : 0);
  const start = from === undefined ? end - LENGTHS['30d'] : Date.parse(from);
  return { from: start, to: end, isOpen: to === undefined || end > now };
}

/** Whether figures of a time can be shown in points of a length. */
export function hasPoints(bucket: Bucket, { from, to }: Span, now: number): boolean {
  const size = BUCKET_MS[bucket];
  // The oldest point that is kept may be half over.
  return to - from >= size && to - from <= MOST_POINTS * size && from > now - KEPT_MS[bucket] + size;
}

/** The default time that a point covers: the shortest whose bars can still be told apart. */
export function usualBucket(span: Span, now: number): Bucket {
  const fits = (bucket: Bucket): boolean =>
    span.to - span.from <= USUAL_POINTS * BUCKET_MS[bucket] && hasPoints(bucket, span, now);
  return BUCKETS.find(fits) ?? 'day';
}

/** The bounds of figures in whole points. The one that is not over is the last of a range. */
export function boundsOf(period: Period, span: Span, bucket: Bucket): Bounds {
  const size = BUCKET_MS[bucket];
  const begin = (time: number): number => Math.floor(time / size) * size;
  const iso = (time: number): string => new Date(time).toISOString();
  if (!isCustom(period)) {
    const points = Math.max(1, Math.ceil((span.to - span.from) / size));
    return { start_date: iso(begin(span.to) - (points - 1) * size) };
  }
  return {
    start_date: iso(begin(span.from)),
    ...(period.to !== undefined && { end_date: iso(span.to - 1) }),
  };
}

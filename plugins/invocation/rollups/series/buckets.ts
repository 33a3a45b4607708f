import { dateRange, DAY_MS, isoTime, ValidationFailed } from '../../../../core/index.ts';
import type { SeriesBucket, SeriesQuery } from '../../contract.ts';

const HOUR_MS = 3_600_000;
/** The length of an hour and of a day in milliseconds. */
export const SIZES: Readonly<Record<SeriesBucket, number>> = { hour: HOUR_MS, day: DAY_MS };
/** How many points there are when the query names no start. */
const USUAL_POINTS: Readonly<Record<SeriesBucket, number>> = { hour: 48, day: 30 };
const MOST_POINTS = 1_000;
/** Days that hours are kept: long enough to compare a month with the one before. */
const HOURS_KEPT_DAYS = 60;

/** When the hour or the day of a time begins, in milliseconds since 1970. */
export function beginOf(bucket: SeriesBucket, time: number): number {
  return Math.floor(time / SIZES[bucket]) * SIZES[bucket];
}

/** When the oldest hour begins that is kept. */
export function oldestHour(now: number): number {
  return beginOf('hour', now) - HOURS_KEPT_DAYS * DAY_MS;
}

/** Whole hours or days from `start`, inclusive, to `end`, exclusive, in milliseconds since 1970. */
export interface SeriesRange {
  readonly start: number;
  readonly end: number;
  /** When each of them begins. */
  readonly begins: readonly number[];
}

/** The hours or days of a query. An end before the start has none. Throws `ValidationFailed`. */
export function seriesRange(query: SeriesQuery, now: number): SeriesRange {
  const { bucket } = query;
  const size = SIZES[bucket];
  const { from, until = now + 1 } = dateRange(query);
  const last = beginOf(bucket, until - 1) + size;
  const start = from === undefined ? last - USUAL_POINTS[bucket] * size : beginOf(bucket, from);
  const end = Math.max(start, last);
  const count = (end - start) / size;
  const pointer = `/query/${from === undefined ? 'end_date' : 'start_date'}`;
  if (count > MOST_POINTS) {
    throw refusal(
      pointer,
      `makes ${count} points, and a series has at most ${MOST_POINTS}. Choose a shorter time${bucket === 'hour' ? ', or bucket=day' : ''}.`,
    );
  }
  if (bucket === 'hour' && count > 0 && start < oldestHour(now)) {
    throw refusal(
      pointer,
      `begins at ${isoTime(start)}, and hours are kept for ${HOURS_KEPT_DAYS} days, since ${isoTime(oldestHour(now))}. Begin later, or take bucket=day.`,
    );
  }
  return { start, end, begins: Array.from({ length: count }, (_, index) => start + index * size) };
}

function refusal(pointer: string, message: string) {
  return ValidationFailed('The series cannot be made.', { errors: [{ pointer, message }] });
}

import { dateRange, DAY_MS, isoTime, ValidationFailed } from '../../../../core/index.ts';
import { SERIES_BUCKETS, type SeriesBucket, type SeriesQuery, type SeriesRange } from '../../contract.ts';

const HOUR_MS = 3_600_000;
/** The length of a point in milliseconds. */
export const SIZES: Readonly<Record<SeriesBucket, number>> = { minute: 60_000, hour: HOUR_MS, day: DAY_MS };
/** How many points there are when the query names no start. */
const USUAL_POINTS: Readonly<Record<SeriesBucket, number>> = { minute: 60, hour: 48, day: 30 };
const MOST_POINTS = 1_000;

/** Points that are not kept for ever. */
type ExpiringBucket = Exclude<SeriesBucket, 'day'>;
/** How long they are kept: minutes to see what happens now, and hours to compare a month with the one before. */
const KEPT: Readonly<Record<ExpiringBucket, { readonly ms: number; readonly words: string }>> = {
  minute: { ms: 48 * HOUR_MS, words: '48 hours' },
  hour: { ms: 60 * DAY_MS, words: '60 days' },
};

/** When the point of a time begins, in milliseconds since 1970. */
export function beginOf(bucket: SeriesBucket, time: number): number {
  return Math.floor(time / SIZES[bucket]) * SIZES[bucket];
}

/** When the oldest point begins that is kept. */
export function oldestKept(bucket: ExpiringBucket, now: number): number {
  return beginOf(bucket, now) - KEPT[bucket].ms;
}

/** The points of a query. An end before the start has none. Throws `ValidationFailed`. */
export function seriesRange(
  query: Pick<SeriesQuery, 'bucket' | 'start_date' | 'end_date'>,
  now: number,
): SeriesRange {
  const { bucket } = query;
  const size = SIZES[bucket];
  const { from, until = now + 1 } = dateRange(query);
  const last = beginOf(bucket, until - 1) + size;
  const start = from === undefined ? last - USUAL_POINTS[bucket] * size : beginOf(bucket, from);
  const end = Math.max(start, last);
  const count = (end - start) / size;
  const longer = longerThan(bucket);
  const pointer = `/query/${from === undefined ? 'end_date' : 'start_date'}`;
  if (count > MOST_POINTS) {
    throw refusal(
      pointer,
      `makes ${count} points, and a series has at most ${MOST_POINTS}. Choose a shorter time${longer === undefined ? '' : `, or bucket=${longer}`}.`,
    );
  }
  if (bucket !== 'day' && count > 0 && start < oldestKept(bucket, now)) {
    throw refusal(
      pointer,
      `begins at ${isoTime(start)}, and ${bucket}s are kept for ${KEPT[bucket].words}, since ${isoTime(oldestKept(bucket, now))}. Begin later, or take bucket=${longer}.`,
    );
  }
  return { start, end, begins: Array.from({ length: count }, (_, index) => start + index * size) };
}

/** A part of a range in points of one length. */
export interface Part {
  readonly bucket: SeriesBucket;
  readonly start: number;
  readonly end: number;
}

/** A range in the longest points that fill it exactly, so that sums over it read few rows: days, and hours at its edges. */
export function partsOf(bucket: SeriesBucket, start: number, end: number): readonly Part[] {
  const longer = longerThan(bucket);
  const whole = longer && { start: beginOf(longer, start + SIZES[longer] - 1), end: beginOf(longer, end) };
  const parts =
    longer && whole && whole.start < whole.end
      ? [
          { bucket, start, end: whole.start },
          ...partsOf(longer, whole.start, whole.end),
          { bucket, start: whole.end, end },
        ]
      : [{ bucket, start, end }];
  return parts.filter((part) => part.start < part.end);
}

/** The next longer length of points; `undefined` for days. */
function longerThan(bucket: SeriesBucket): SeriesBucket | undefined {
  return SERIES_BUCKETS[SERIES_BUCKETS.indexOf(bucket) + 1];
}

function refusal(pointer: string, message: string) {
  return ValidationFailed('The series cannot be made.', { errors: [{ pointer, message }] });
}

/**
 * Histograms of response times on a logarithmic scale: bin 0 has up to a millisecond, and each further bin reaches
 * `GROWTH` times as far as the one before. Only bins with calls are stored, so the scale needs no upper end.
 */
const GROWTH = 1.2;
const LOG_GROWTH = Math.log(GROWTH);
const FIRST_SECONDS = 0.001;

/** The largest relative error of an estimate above a millisecond: half a bin. */
export const RELATIVE_ERROR = Math.sqrt(GROWTH) - 1;

/** The number of the bin of a response time in seconds. */
export function binOf(seconds: number): number {
  return seconds <= FIRST_SECONDS ? 0 : Math.ceil(Math.log(seconds / FIRST_SECONDS) / LOG_GROWTH);
}

/** The calls in a bin, and the sum of their response times in microseconds. */
export interface Bin {
  readonly bin: number;
  readonly calls: number;
  readonly response_us: number;
}

/** Estimates in seconds, for each share, the response time that this share of the calls did not exceed. */
export function percentiles(bins: readonly Bin[], shares: readonly number[]): (number | null)[] {
  const ascending = bins.toSorted((one, other) => one.bin - other.bin);
  const total = ascending.reduce((sum, { calls }) => sum + calls, 0);
  return shares.map((share) => {
    const rank = Math.ceil(share * total);
    let passed = 0;
    const found = ascending.find(({ calls }) => (passed += calls) >= rank);
    return found === undefined ? null : middleOf(found);
  });
}

/** The geometric middle of a bin, which is equally far from both of its ends. Bin 0 has no lower end: its mean. */
function middleOf({ bin, calls, response_us }: Bin): number {
  return bin === 0 ? response_us / calls / 1e6 : FIRST_SECONDS * GROWTH ** (bin - 0.5);
}

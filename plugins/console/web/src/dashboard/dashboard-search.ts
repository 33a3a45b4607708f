import type { SeriesQuery } from '../api/queries.ts';
import {
  BUCKETS,
  boundsOf,
  hasPoints,
  readPeriod,
  spanOf,
  usualBucket,
  type Bucket,
  type Period,
  type Range,
  type Span,
} from '../periods/period.ts';

/** In which zone times are chosen and shown; days are always those of UTC. */
export const ZONES = ['local', 'utc'] as const;
export type Zone = (typeof ZONES)[number];

/** What the address of a screen with figures says. */
export interface DashboardSearch extends Period {
  /** What a point of the charts covers, where it is not what suits the time. */
  readonly by?: Bucket | undefined;
  readonly zone?: 'utc' | undefined;
  /** Whether figures stay as they are until one asks for new ones. */
  readonly live?: 'off' | undefined;
}

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  return {
    ...readPeriod(search),
    by: BUCKETS.find((bucket) => bucket === search['by']),
    zone: search['zone'] === 'utc' ? 'utc' : undefined,
    live: search['live'] === 'off' ? 'off' : undefined,
  };
}

/** The time that all figures of a screen share. */
export interface Time {
  readonly span: Span;
  readonly bucket: Bucket;
  /** Those that fit the time. */
  readonly buckets: readonly Bucket[];
  readonly zone: Zone;
  /** What to ask the service for; the same until a new point begins. */
  readonly query: Pick<SeriesQuery, 'bucket' | 'start_date' | 'end_date'>;
}

export function timeOf(search: DashboardSearch, byDefault: Range, now: number): Time {
  const span = spanOf(search, byDefault, now);
  const buckets = BUCKETS.filter((each) => hasPoints(each, span, now));
  const { by } = search;
  const bucket = by !== undefined && buckets.includes(by) ? by : usualBucket(span, now);
  return {
    span,
    bucket,
    buckets,
    zone: search.zone ?? 'local',
    query: { bucket, ...boundsOf(search, span, bucket) },
  };
}

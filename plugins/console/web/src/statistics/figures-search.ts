import type { SeriesQuery } from '../api/queries.ts';
import { daysOf, hasHours, readPeriod, type Period, type Range } from '../periods/period.ts';

/** The ranges of figures, which are of whole days. */
export const FIGURE_RANGES: readonly Range[] = ['1d', '7d', '30d', '90d', '365d'];
export const USUAL_RANGE: Range = '30d';

export const BUCKETS = ['hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** What the address of a screen with figures says. */
export interface FiguresSearch extends Period {
  /** What a point of the charts covers, where it is not what suits the time. */
  readonly by?: Bucket | undefined;
}

export function readFiguresSearch(search: Readonly<Record<string, unknown>>): FiguresSearch {
  return { ...readPeriod(search), by: BUCKETS.find((bucket) => bucket === search['by']) };
}

/** By hour for a single day, and by day otherwise. */
export function bucketOf(search: FiguresSearch): Bucket {
  if (!hasHours(search)) return 'day';
  return search.by ?? (search.range === '1d' ? 'hour' : 'day');
}

export function seriesQueryOf(search: FiguresSearch): SeriesQuery {
  return { bucket: bucketOf(search), ...daysOf(search) };
}

import type { ChartData } from '../charts/chart-data.ts';
import { BUCKET_MS, type Bucket } from '../periods/period.ts';
import { showIn, text } from '../texts/text.ts';
import type { Zone } from './dashboard-search.ts';

const DAY_SECONDS = 86_400;

/** How the points of figures are written: whole days in UTC, and shorter ones in the zone that was chosen. */
export function showPoint(at: string, bucket: Bucket, zone: Zone): string {
  const time = Date.parse(at);
  return bucket === 'day' ? showIn('utc', 'day', time) : showIn(zone, 'minute', time);
}

/** What all charts of figures have in common. */
export function timeAxis(points: readonly { readonly at: string }[], bucket: Bucket, chosen: Zone) {
  const zone = bucket === 'day' ? 'utc' : chosen;
  return {
    x: points.map(({ at }) => Date.parse(at) / 1000),
    xLabel: zone === 'utc' ? text.figures.inUtc(text.figures.points[bucket]) : text.figures.points[bucket],
    step: BUCKET_MS[bucket] / 1000,
    time: zone,
    fromZero: true,
    showX: (seconds: number) => showIn(zone, bucket === 'day' ? 'day' : 'minute', seconds * 1000),
    showTick: (seconds: number, distance: number) =>
      showIn(zone, distance < DAY_SECONDS ? 'minuteOfDay' : 'dayOfYear', seconds * 1000),
  } satisfies Partial<ChartData>;
}

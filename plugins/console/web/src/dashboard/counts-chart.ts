import type { ChartData } from '../charts/chart-data.ts';
import type { Bucket } from '../periods/period.ts';
import { showNumber } from '../texts/text.ts';
import type { Zone } from './dashboard-search.ts';
import { timeAxis } from './time-axis.ts';

const COLOURS = ['--chart-bad', '--hue-ml', '--hue-nlp', '--hue-vision', '--hue-audio', '--hue-optimisation'];

/** A point of a series, with how often each kind of thing happened. */
export interface CountedPoint {
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** How often each kind of thing happened, the most frequent first. */
export function ranked(counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(counts).toSorted(([, one], [, other]) => other - one);
}

/** Kinds on each other, the most frequent first. */
export function countsChart(
  points: readonly CountedPoint[],
  kinds: readonly string[],
  {
    bucket,
    zone,
    nameOf,
  }: { readonly bucket: Bucket; readonly zone: Zone; readonly nameOf: (kind: string) => string },
): ChartData {
  return {
    ...timeAxis(points, bucket, zone),
    showY: showNumber,
    series: kinds.map((kind, i) => ({
      shape: 'bars',
      label: nameOf(kind),
      colour: COLOURS[i] ?? '--chart-other',
      values: points.map(({ counts }) => counts[kind] ?? 0),
    })),
  };
}

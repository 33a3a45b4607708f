import { mean } from '../../statistics/moments.ts';
import type { Seasonality, State } from './smoother.ts';

/**
 * Where to begin: a straight line through the moving average of the first two seasons gives level and trend, the mean
 * deviation from that average gives the season. The state is that before the second season.
 */
export function startState(series: readonly number[], length: number, seasonality: Seasonality): State {
  const early = series.slice(0, 2 * length);
  const trend = movingAverage(early, length);
  const { level, slope } = lineThrough(trend, length);
  return { level, trend: slope, season: firstSeason(early, trend, length, seasonality) };
}

/** Mean over one season around each place; undefined where a whole season does not fit. */
function movingAverage(values: readonly number[], length: number): (number | undefined)[] {
  const half = Math.floor(length / 2);
  return values.map((_, i) => {
    if (i < half || i >= values.length - half) return undefined;
    const window = values.slice(i - half, i + half + 1);
    if (length % 2 === 1) return mean(window);
    const ends = (window[0]! + window.at(-1)!) / 2;
    return (window.slice(1, -1).reduce((sum, value) => sum + value, 0) + ends) / length;
  });
}

/** Least squares through what is defined: the slope, and the level at the `at`-th place, counted from 1. */
function lineThrough(trend: readonly (number | undefined)[], at: number): { level: number; slope: number } {
  const points = trend.flatMap((value, i) => (value === undefined ? [] : [{ x: i + 1, value }]));
  const [middle, level] = [mean(points.map(({ x }) => x)), mean(points.map(({ value }) => value))];
  const square = points.reduce((sum, { x }) => sum + (x - middle) ** 2, 0);
  const cross = points.reduce((sum, { x, value }) => sum + (x - middle) * (value - level), 0);
  const slope = square === 0 ? 0 : cross / square;
  return { level: level + slope * (at - middle), slope };
}

/** Deviations from the trend by place in the season, moved so that together they change nothing. */
function firstSeason(
  values: readonly number[],
  trend: readonly (number | undefined)[],
  length: number,
  seasonality: Seasonality,
): number[] {
  const additive = seasonality === 'additive';
  const deviations = Array.from({ length }, (_, place) =>
    mean(
      [place, place + length].flatMap((i) => {
        const usual = trend[i];
        return usual === undefined ? [] : [additive ? values[i]! - usual : values[i]! / usual];
      }),
    ),
  );
  const overall = mean(deviations);
  return deviations.map((deviation) => (additive ? deviation - overall : deviation / overall));
}

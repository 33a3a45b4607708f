import { median } from '../statistics/moments.ts';
import { loess } from './loess.ts';
import { roundingOf, trustIn, type Decomposition } from './stl.ts';

const ROBUST_ROUNDS = 15;

/**
 * A series without season taken apart: local lines over `window` neighbours, from which misfits lose their say. Begins
 * with running medians, which a single misfit does not move.
 */
export function robustTrend(series: readonly number[], window: number): Decomposition {
  const values = Float64Array.from(series);
  const rounding = roundingOf(values);
  const rest = (trend: Float64Array) => values.map((value, i) => value - trend[i]!);
  let trend: Float64Array = runningMedian(series, window);
  for (let round = 0; round < ROBUST_ROUNDS; round++) {
    trend = loess(values, { window, trust: trustIn(rest(trend), rounding) });
  }
  return { trend, season: new Float64Array(values.length), remainder: rest(trend) };
}

/** Medians of neighbours, as many on one side as on the other. */
function runningMedian(series: readonly number[], window: number): Float64Array {
  return Float64Array.from(series, (_, i) => {
    const reach = Math.min((window - 1) / 2, i, series.length - 1 - i);
    return median(series.slice(i - reach, i + reach + 1));
  });
}

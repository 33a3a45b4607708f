import { seededRandom } from '../../statistics/random.ts';
import { quantile } from '../../statistics/moments.ts';
import type { Fit } from './fit.ts';
import { Smoother, type Seasonality } from './smoother.ts';

const FUTURES = 1000;

interface Future {
  readonly horizon: number;
  readonly confidence: number;
  readonly seasonality: Seasonality;
  readonly seed: number;
}

/**
 * Bounds between which the middle part of simulated futures lies, for each step. A future draws one-step errors of the
 * past at random: absolute ones for an additive season, relative ones for a multiplicative season.
 */
export function intervals(
  observed: readonly number[],
  fit: Fit,
  future: Future,
): { lower: number; upper: number }[] {
  const relative = future.seasonality === 'multiplicative';
  const errors = observed.map((value, i) => (value - fit.fitted[i]!) / (relative ? fit.fitted[i]! : 1));
  const random = seededRandom(future.seed);
  const paths = Array.from({ length: FUTURES }, () =>
    onePath(fit, future, () => errors[Math.floor(random() * errors.length)]!),
  );
  const tail = (1 - future.confidence) / 2;
  return Array.from({ length: future.horizon }, (_, step) => {
    const values = Float64Array.from(paths, (path) => path[step]!).sort();
    return { lower: quantile(values, tail), upper: quantile(values, 1 - tail) };
  });
}

function onePath({ end, weights }: Fit, { horizon, seasonality }: Future, drawError: () => number): number[] {
  const smoother = new Smoother(end, weights, seasonality);
  return Array.from({ length: horizon }, () => {
    const guess = smoother.expect(1);
    const value = seasonality === 'additive' ? guess + drawError() : guess * (1 + drawError());
    smoother.absorb(value);
    return value;
  });
}

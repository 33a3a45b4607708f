import { mean } from '../../statistics/moments.ts';
import { fit } from './fit.ts';
import { Smoother, type Seasonality } from './smoother.ts';

export interface Backtest {
  steps: number;
  mean_absolute_error: number;
  mean_absolute_percentage_error: number | null;
  seasonal_naive_error: number;
}

/** Holds the end of the series back, forecasts it from the rest, and compares; `null` where two seasons would not be left. */
export function backtest(
  series: readonly number[],
  seasonLength: number,
  horizon: number,
  seasonality: Seasonality,
): Backtest | null {
  const steps = Math.min(horizon, series.length - 2 * seasonLength);
  if (steps < 1) return null;
  const [known, held] = [series.slice(0, -steps), series.slice(-steps)];
  const { end, weights } = fit(known, seasonLength, seasonality);
  const smoother = new Smoother(end, weights, seasonality);
  const errors = held.map((value, i) => Math.abs(value - smoother.expect(i + 1)));
  const naive = held.map((value, i) =>
    Math.abs(value - known[known.length - seasonLength + (i % seasonLength)]!),
  );
  const percentages = held.map((value, i) => (100 * errors[i]!) / Math.abs(value));
  return {
    steps,
    mean_absolute_error: mean(errors),
    mean_absolute_percentage_error: held.includes(0) ? null : mean(percentages),
    seasonal_naive_error: mean(naive),
  };
}

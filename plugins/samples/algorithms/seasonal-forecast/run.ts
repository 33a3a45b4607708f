import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { about } from './about.ts';
import { backtest } from './backtest.ts';
import { fit } from './fit.ts';
import { intervals } from './intervals.ts';
import { Smoother } from './smoother.ts';

type Params = ParamsOf<typeof about>;

export function run({ series }: InputOf<typeof about>, params: Params): OutputOf<typeof about> {
  refuseUnfit(series, params);
  const { season_length: length, horizon, seasonality } = params;
  const fitted = fit(series, length, seasonality);
  const observed = series.slice(length);
  const smoother = new Smoother(fitted.end, fitted.weights, seasonality);
  const { level, trend, season } = fitted.end;
  return {
    forecast: intervals(observed, fitted, params).map((bounds, i) => ({
      step: i + 1,
      forecast: smoother.expect(i + 1),
      ...bounds,
    })),
    fitted: observed.map((value, i) => ({
      step: length + i + 1,
      observed: value,
      fitted: fitted.fitted[i]!,
    })),
    smoothing: { ...fitted.weights },
    state: { level, trend, season: [...season] },
    root_mean_squared_error: Math.sqrt(fitted.squaredError / observed.length),
    backtest: backtest(series, length, horizon, seasonality),
  };
}

function refuseUnfit(series: readonly number[], { season_length: length, seasonality }: Params): void {
  if (series.length < 2 * length) {
    throw new InputRejected(
      `The series has ${series.length} observations, but two seasons of ${length} need ${2 * length}. Send more, or set a shorter season.`,
    );
  }
  if (seasonality === 'multiplicative' && series.some((value) => value <= 0)) {
    throw new InputRejected('A multiplicative season needs observations above 0. Choose an additive one.');
  }
}

export default embedded(about, run);

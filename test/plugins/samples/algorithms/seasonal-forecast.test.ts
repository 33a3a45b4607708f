import { expect } from 'chai';
import { follow, fit } from '../../../../plugins/samples/algorithms/seasonal-forecast/fit.ts';
import { run } from '../../../../plugins/samples/algorithms/seasonal-forecast/run.ts';
import type { Seasonality } from '../../../../plugins/samples/algorithms/seasonal-forecast/smoother.ts';
import { startState } from '../../../../plugins/samples/algorithms/seasonal-forecast/start-state.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { AIR_PASSENGERS } from '../../../../plugins/samples/series/air-passengers.ts';

const usual = {
  season_length: 12,
  horizon: 12,
  seasonality: 'multiplicative',
  confidence: 0.8,
  seed: 1,
} as const;

/** A season on a slope, without noise. */
function regular(length: number, season: readonly number[], seasonality: Seasonality): number[] {
  return Array.from({ length }, (_, i) => {
    const level = 100 + 2 * i;
    const swing = season[i % season.length]!;
    return seasonality === 'additive' ? level + swing : level * swing;
  });
}

/** What `HoltWinters(AirPassengers)` of R prints: weights, level, trend, season and squared error. */
const OF_R = {
  additive: {
    weights: { level: 0.2479595, trend: 0.0345373, season: 1 },
    state: [477.827781, 3.127627],
    season: [
      -27.457685, -54.692464, -20.174608, 12.91912, 18.873607, 75.294426, 152.888368, 134.613464, 33.778349,
    ],
    squaredError: 21860.18,
  },
  multiplicative: {
    weights: { level: 0.2755925, trend: 0.03269295, season: 0.8707292 },
    state: [469.3232206, 3.0215391],
    season: [
      0.9464611, 0.8829239, 0.9717369, 1.0304825, 1.0476884, 1.1805272, 1.3590778, 1.3331706, 1.1083381,
    ],
    squaredError: 16570.78,
  },
};

describe('Seasonal forecast', () => {
  for (const seasonality of ['additive', 'multiplicative'] as const) {
    describe(`with ${seasonality} season`, () => {
      const known = OF_R[seasonality];

      it('follows the air passengers as R does, given the weights of R', () => {
        const start = startState(AIR_PASSENGERS, 12, seasonality);
        // R takes the level half a season too early.
        const startOfR = { ...start, level: start.level - 6 * start.trend };
        const { end, squaredError } = follow(AIR_PASSENGERS.slice(12), startOfR, known.weights, seasonality);
        [end.level, end.trend].forEach((value, i) => expect(value).to.be.closeTo(known.state[i]!, 2e-3));
        known.season.forEach((value, i) => expect(end.season[i]).to.be.closeTo(value, 2e-3));
        expect(squaredError).to.be.closeTo(known.squaredError, 0.01);
      });

      it('chooses nearly the weights that R chooses', () => {
        const { weights } = fit(AIR_PASSENGERS, 12, seasonality);
        expect(weights.level).to.be.closeTo(known.weights.level, 0.01);
        expect(weights.trend).to.be.closeTo(known.weights.trend, 0.01);
        expect(weights.season).to.be.closeTo(known.weights.season, 0.02);
      });

      it('continues a regular series, with narrow intervals', () => {
        const season = seasonality === 'additive' ? [5, -3, 8, -10] : [1.2, 0.9, 1.1, 0.8];
        const series = regular(40, season, seasonality);
        const next = regular(48, season, seasonality).slice(40);
        const share = seasonality === 'additive' ? 1e-9 : 0.02;
        const { forecast } = run({ series }, { ...usual, seasonality, season_length: 4, horizon: 8 });
        forecast.forEach(({ forecast: value, lower, upper }, i) => {
          expect(value).to.be.closeTo(next[i]!, next[i]! * share);
          expect(upper - lower).to.be.lessThan(next[i]! * 2 * share);
        });
      });

      it('chooses weights that no small change improves', () => {
        const { weights, squaredError } = fit(AIR_PASSENGERS, 12, seasonality);
        const start = startState(AIR_PASSENGERS, 12, seasonality);
        const changes = [-0.02, 0.02].flatMap((by) => [
          { ...weights, level: weights.level + by },
          { ...weights, trend: weights.trend + by },
          { ...weights, season: Math.min(1, weights.season + by) },
        ]);
        for (const other of changes) {
          const { squaredError: worse } = follow(AIR_PASSENGERS.slice(12), start, other, seasonality);
          expect(worse).to.be.at.least(squaredError - 1e-6);
        }
      });
    });
  }

  it('would have forecast the last year of the air passengers far better than repeating the year before', () => {
    const { backtest } = run({ series: AIR_PASSENGERS }, usual);
    expect(backtest!.steps).to.equal(12);
    expect(backtest!.seasonal_naive_error).to.be.closeTo(47.8333, 1e-3);
    expect(backtest!.mean_absolute_percentage_error).to.be.lessThan(3);
    expect(backtest!.mean_absolute_error).to.be.lessThan(backtest!.seasonal_naive_error / 4);
  });

  it('holds the backtest back from the fit', () => {
    const changed = AIR_PASSENGERS.with(143, 4320);
    const backtests = [AIR_PASSENGERS, changed].map((series) => run({ series }, usual).backtest!);
    const difference = backtests[1]!.mean_absolute_error - backtests[0]!.mean_absolute_error;
    expect(difference).to.be.closeTo((4320 - 432) / 12, 1 * 10);
  });

  it('widens its intervals with the distance, and with the confidence', () => {
    const [narrow, wide] = ([0.5, 0.95] as const).map((confidence) => {
      const { forecast } = run({ series: AIR_PASSENGERS }, { ...usual, confidence, horizon: 24 });
      return forecast.map(({ upper, lower }) => upper - lower);
    });
    expect(narrow![23]).to.be.greaterThan(narrow![11]!);
    narrow!.forEach((width, i) => expect(wide![i]).to.be.greaterThan(width));
  });

  it('covers about as many futures as it claims', () => {
    let state = 1;
    const noise = () => ((state = (state * 48271) % 2147483647) / 2147483647 - 0.5) * 20;
    let inside = 0;
    for (let k = 0; k < 60; k++) {
      const whole = regular(64, [10, -5, 3, -8], 'additive').map((value) => value + noise());
      const { forecast } = run(
        { series: whole.slice(0, 60) },
        { ...usual, seasonality: 'additive', season_length: 4, horizon: 4 },
      );
      inside += forecast.filter(
        ({ lower, upper }, i) => whole[60 + i]! >= lower && whole[60 + i]! <= upper,
      ).length;
    }
    expect(inside / 240).to.be.within(0.65, 0.9);
  });

  it('continues a constant series', () => {
    const { forecast } = run({ series: Array<number>(24).fill(7) }, usual);
    expect(forecast.map(({ forecast: value, lower, upper }) => [value, lower, upper])).to.deep.equal(
      Array.from({ length: 12 }, () => [7, 7, 7]),
    );
  });

  it('has no backtest for two bare seasons, and no percentage where an observation is 0', () => {
    const series = [0, 4, 1, 5, 2, 6, 0, 7];
    const additive = { ...usual, seasonality: 'additive', season_length: 2, horizon: 2 } as const;
    expect(run({ series: series.slice(0, 4) }, additive).backtest).to.equal(null);
    expect(run({ series }, additive).backtest!.mean_absolute_percentage_error).to.equal(null);
  });

  it('answers the same for the same seed', () => {
    const answers = [3, 3].map((seed) => run({ series: AIR_PASSENGERS }, { ...usual, seed }));
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('refuses less than two seasons', () => {
    expect(() => run({ series: [1, 2, 3, 4, 5] }, usual)).to.throw(
      InputRejected,
      'two seasons of 12 need 24',
    );
  });

  it('refuses a multiplicative season for values that are not above 0', () => {
    const series = AIR_PASSENGERS.with(5, 0);
    expect(() => run({ series }, usual)).to.throw(InputRejected, 'needs observations above 0');
  });
});

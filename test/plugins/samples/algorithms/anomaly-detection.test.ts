import { expect } from 'chai';
import { robustScores } from '../../../../plugins/samples/algorithms/anomaly-detection/robust-scores.ts';
import { run } from '../../../../plugins/samples/algorithms/anomaly-detection/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { seededRandom } from '../../../../plugins/samples/statistics/random.ts';

const weekly = { season_length: 7, limit: 4 };
const WEEK = [10, 12, 12, 11, 14, -20, -39];

/** Normal noise by the method of Box and Muller. */
function noise(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A season on a slope with noise of deviation 3, and additions at some steps (from 1). */
function visits(length: number, additions: Readonly<Record<number, number>> = {}, seed = 1): number[] {
  const draw = noise(seed);
  return Array.from(
    { length },
    (_, i) => 200 + 0.3 * i + WEEK[i % 7]! + 3 * draw() + (additions[i + 1] ?? 0),
  );
}

const stepsOf = (series: number[], params = weekly) =>
  run({ series }, params).anomalies.map(({ step }) => step);

describe('Anomaly detection', () => {
  it('finds planted outliers, the farthest first, and says which way they lie', () => {
    const { anomalies } = run({ series: visits(140, { 30: 60, 77: -45, 101: 30 }) }, weekly);
    expect(anomalies.map(({ step, direction }) => [step, direction])).to.deep.equal([
      [30, 'high'],
      [77, 'low'],
      [101, 'high'],
    ]);
  });

  it('finds them at both ends', () => {
    expect(stepsOf(visits(140, { 1: 50, 140: -50 })).toSorted((a, b) => a - b)).to.deep.equal([1, 140]);
  });

  it('does not hold the season for an anomaly', () => {
    expect(stepsOf(visits(140))).to.deep.equal([]);
  });

  it('is not deceived by one outlier in ten', () => {
    const additions = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [5 + 10 * i, 80]));
    expect(stepsOf(visits(140, additions)).toSorted((a, b) => a - b)).to.deep.equal(
      Object.keys(additions).map(Number),
    );
  });

  it('accuses as few ordinary observations as it claims', () => {
    const accused = Array.from({ length: 100 }, (_, seed) => stepsOf(visits(84, {}, seed)).length);
    const share = accused.reduce((sum, count) => sum + count, 0) / (100 * 84);
    expect(share).to.be.lessThan(0.002);
  });

  it('estimates the noise', () => {
    expect(run({ series: visits(700) }, weekly).scale).to.be.closeTo(3, 0.3);
  });

  it('works without a season', () => {
    const draw = noise(4);
    const series = Array.from({ length: 80 }, (_, i) => 40 * Math.sin(i / 25) + draw() + (i === 50 ? 15 : 0));
    expect(stepsOf(series, { season_length: 1, limit: 4 })).to.deep.equal([51]);
  });

  for (const [what, series, params, found] of [
    ['a straight line', Array.from({ length: 40 }, (_, i) => 3 * i), { season_length: 1, limit: 4 }, []],
    ['a constant', Array<number>(40).fill(5), weekly, []],
    ['a season without noise', Array.from({ length: 42 }, (_, i) => 3 * i + (i % 7)), weekly, []],
    [
      'one jump out of a line',
      Array.from({ length: 40 }, (_, i) => 3 * i + (i === 20 ? 50 : 0)),
      { season_length: 1, limit: 4 },
      [21],
    ],
    [
      'one jump out of a season',
      Array.from({ length: 84 }, (_, i) => 3 * i + (i % 7) + (i === 40 ? 50 : 0)),
      weekly,
      [41],
    ],
  ] as const) {
    it(`is exact where there is no noise: ${what}`, () => {
      expect(stepsOf([...series], params)).to.deep.equal(found);
    });
  }

  it('draws the band of what is usual around what is expected', () => {
    const { points, scale } = run({ series: visits(84) }, weekly);
    for (const { expected, lower, upper } of points) {
      expect(upper - expected).to.be.closeTo(4 * scale, 1e-9);
      expect(expected - lower).to.be.closeTo(4 * scale, 1e-9);
    }
  });

  it('refuses less than three seasons', () => {
    expect(() => run({ series: visits(20) }, weekly)).to.throw(InputRejected, 'three seasons of 7 need 21');
  });
});

describe('Robust scores', () => {
  it('are distances from the median in 1.4826 median absolute deviations', () => {
    const { scores } = robustScores([1, 2, 3, 4, 100], { rounding: 0, freedom: 5 });
    expect(scores[4]).to.be.closeTo((100 - 3) / 1.482602218505602, 1e-12);
    expect(scores[2]).to.equal(0);
  });

  it('use the mean deviation where most values agree', () => {
    const { scores } = robustScores([5, 5, 5, 5, 9], { rounding: 0, freedom: 5 });
    expect(scores[4]).to.be.closeTo(4 / (1.2533141373155003 * 0.8), 1e-12);
  });

  it('are all 0 where values differ by rounding only', () => {
    expect(robustScores([5, 5 + 1e-12, 5], { rounding: 1e-9, freedom: 3 }).scores).to.deep.equal([0, 0, 0]);
  });
});

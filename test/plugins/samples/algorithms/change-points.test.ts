import { expect } from 'chai';
import { NILE } from '../../../../plugins/samples/algorithms/change-points/nile.ts';
import { pelt } from '../../../../plugins/samples/algorithms/change-points/pelt.ts';
import { run } from '../../../../plugins/samples/algorithms/change-points/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { seededRandom } from '../../../../plugins/samples/statistics/random.ts';

const usual = { penalty: 3, min_length: 2 };

/** Squared deviations from the means of the stretches, and the penalty for each change. */
function costOf(series: readonly number[], starts: readonly number[], penalty: number): number {
  const bounds = [0, ...starts, series.length];
  return bounds.slice(1).reduce((total, end, i) => {
    const part = series.slice(bounds[i], end);
    const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
    return total + part.reduce((sum, value) => sum + (value - mean) ** 2, 0) + (i > 0 ? penalty : 0);
  }, 0);
}

/** The lowest cost of all divisions there are. */
function bestOfAll(series: readonly number[], penalty: number, minLength: number): number {
  let best = Infinity;
  for (let set = 0; set < 2 ** (series.length - 1); set++) {
    const starts = series.flatMap((_, i) => (i > 0 && set & (1 << (i - 1)) ? [i] : []));
    const lengths = [...starts, series.length].map((end, i) => end - [0, ...starts][i]!);
    if (lengths.every((length) => length >= minLength))
      best = Math.min(best, costOf(series, starts, penalty));
  }
  return best;
}

describe('Change points', () => {
  it('finds that the Nile carried less water from 1899 on', () => {
    const { changes, segments } = run({ series: NILE }, usual);
    expect(changes.map((step) => 1870 + step)).to.deep.equal([1899]);
    expect(segments.map(({ mean }) => Math.round(mean))).to.deep.equal([1098, 850]);
  });

  it('finds planted jumps and their levels', () => {
    const random = seededRandom(2);
    const levels = [10, 14, 4, 9];
    const series = levels.flatMap((level) => Array.from({ length: 25 }, () => level + random() - 0.5));
    const { changes, segments } = run({ series }, usual);
    expect(changes).to.deep.equal([26, 51, 76]);
    segments.forEach(({ mean }, i) => expect(mean).to.be.closeTo(levels[i]!, 0.3));
  });

  it('finds none in noise alone', () => {
    const found = Array.from({ length: 40 }, (_, seed) => {
      const random = seededRandom(seed);
      return run({ series: Array.from({ length: 100 }, () => random()) }, usual).changes.length;
    });
    expect(found.filter((count) => count > 0).length).to.be.at.most(2);
  });

  it('finds fewer the higher the penalty', () => {
    const random = seededRandom(9);
    const series = Array.from({ length: 120 }, (_, i) => (Math.floor(i / 15) % 3) + random());
    const counts = [1, 3, 10, 100].map((penalty) => run({ series }, { ...usual, penalty }).changes.length);
    expect(counts).to.deep.equal(counts.toSorted((a, b) => b - a));
    expect(counts[0]).to.be.greaterThan(counts[3]!);
  });

  it('is exact: no division at all costs less', () => {
    const random = seededRandom(5);
    for (let k = 0; k < 30; k++) {
      const series = Array.from({ length: 12 }, () => Math.floor(random() * 8));
      const [penalty, minLength] = [1 + random() * 12, 1 + Math.floor(random() * 3)];
      const found = pelt(series, penalty, minLength);
      expect(costOf(series, found, penalty)).to.be.closeTo(bestOfAll(series, penalty, minLength), 1e-9);
      const lengths = [...found, series.length].map((end, i) => end - [0, ...found][i]!);
      expect(Math.min(...lengths)).to.be.at.least(minLength);
    }
  });

  it('does not depend on the unit or the zero of the values', () => {
    const changes = [1, 1e-6, 1e6].map(
      (unit) => run({ series: NILE.map((value) => 5000 + value * unit) }, usual).changes,
    );
    expect(changes).to.deep.equal([[29], [29], [29]]);
  });

  it('tells a step without noise', () => {
    expect(run({ series: [1, 1, 1, 1, 5, 5, 5, 5] }, usual).changes).to.deep.equal([5]);
  });

  it('refuses a constant series and one that is too short', () => {
    expect(() => run({ series: [2, 2, 2, 2] }, usual)).to.throw(InputRejected, 'no change to find');
    expect(() => run({ series: [1, 2, 3, 4] }, { ...usual, min_length: 3 })).to.throw(
      InputRejected,
      'too few',
    );
  });
});

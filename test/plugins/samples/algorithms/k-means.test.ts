import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/k-means/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { IRIS } from '../fixtures/iris.ts';

const usual = { k: 3, standardise: false, starts: 10, seed: 1 };

describe('K-means', () => {
  it('finds the best division of the irises into three that scikit-learn knows', () => {
    const { clusters, inertia, silhouette, converged } = run({ rows: IRIS }, usual);
    expect(clusters.map(({ size }) => size)).to.deep.equal([62, 50, 38]);
    expect(inertia).to.be.closeTo(78.851441426146, 1e-9);
    expect(silhouette).to.be.closeTo(0.5528190123564095, 1e-12);
    expect(converged).to.equal(true);
  });

  it('finds that into two', () => {
    const { inertia, silhouette } = run({ rows: IRIS }, { ...usual, k: 2 });
    expect(inertia).to.be.closeTo(152.3479517603579, 1e-9);
    expect(silhouette).to.be.closeTo(0.6810461692117462, 1e-12);
  });

  it('scales columns alike when asked to', () => {
    const { inertia } = run({ rows: IRIS }, { ...usual, standardise: true, starts: 50 });
    expect(inertia).to.be.closeTo(139.82049635974982, 1e-3);
  });

  it('does not depend on the unit when columns are scaled', () => {
    const metres = IRIS.map((row) => row.map((value, i) => (i === 0 ? value / 100 : value)));
    const [inCm, mixed] = [IRIS, metres].map((rows) => run({ rows }, { ...usual, standardise: true }));
    expect(mixed!.points.map(({ cluster }) => cluster)).to.deep.equal(
      inCm!.points.map(({ cluster }) => cluster),
    );
  });

  it('converges on data of any scale', () => {
    const tiny = IRIS.map((row) => row.map((value) => value * 1e-6));
    expect(run({ rows: tiny }, usual).inertia).to.be.closeTo(78.851441426146e-12, 1e-22);
  });

  it('answers each centre as the mean of its rows', () => {
    const rows = [
      [0, 0],
      [2, 0],
      [10, 10],
      [12, 10],
      [11, 13],
    ];
    const { clusters } = run({ rows, names: ['a', 'b'] }, { ...usual, k: 2 });
    expect(clusters.map(({ centre }) => centre)).to.deep.equal([
      { a: 11, b: 11 },
      { a: 1, b: 0 },
    ]);
  });

  it('has no silhouette for a single group', () => {
    expect(run({ rows: IRIS }, { ...usual, k: 1 }).silhouette).to.equal(null);
  });

  it('gives as many groups as rows when asked to', () => {
    const { inertia, clusters } = run({ rows: [[1], [2], [4]] }, { ...usual, k: 3 });
    expect([inertia, clusters.map(({ size }) => size)]).to.deep.equal([0, [1, 1, 1]]);
  });

  it('answers the same for the same seed', () => {
    const answers = [7, 7].map((seed) => run({ rows: IRIS }, { ...usual, k: 6, starts: 1, seed }));
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('refuses more groups than there are different rows', () => {
    const rows = [
      [1, 1],
      [1, 1],
      [2, 2],
    ];
    expect(() => run({ rows }, usual)).to.throw(InputRejected, 'Only 2 of the rows differ');
  });

  it('refuses rows of different lengths and names that do not fit', () => {
    expect(() => run({ rows: [[1, 2], [3]] }, usual)).to.throw(InputRejected, 'Row 2 has 1 values');
    expect(() => run({ rows: [[1], [3]], names: ['a', 'b'] }, usual)).to.throw(
      InputRejected,
      '2 column names',
    );
  });
});

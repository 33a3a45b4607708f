import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/decision-tree/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { IRIS, SPECIES } from '../fixtures/iris.ts';

const usual = { max_depth: 2, min_leaf: 1, seed: 1 };
const irises = {
  rows: IRIS,
  labels: SPECIES,
  names: ['sepal length', 'sepal width', 'petal length', 'petal width'],
};

describe('Decision tree', () => {
  it('asks the well-known two questions about the irises', () => {
    expect(
      run(irises, usual).rules.map(({ rule, prediction, rows }) => [rule, prediction, rows]),
    ).to.deep.equal([
      ['petal length ≤ 2.45', 'setosa', 50],
      ['petal length > 2.45 and petal width ≤ 1.75', 'versicolor', 54],
      ['petal length > 2.45 and petal width > 1.75', 'virginica', 46],
    ]);
  });

  for (const [max_depth, accuracy, nodes] of [
    [1, 2 / 3, 3],
    [2, 0.96, 5],
    [3, 146 / 150, 9],
  ] as const) {
    it(`is as right as that of scikit-learn at depth ${max_depth}`, () => {
      const tree = run(irises, { ...usual, max_depth });
      expect([tree.training_accuracy, tree.nodes.length]).to.deep.equal([accuracy, nodes]);
    });
  }

  it('judges itself on rows it has not seen, and against guessing', () => {
    const { cross_validated_accuracy, baseline_accuracy } = run(irises, usual);
    expect(cross_validated_accuracy).to.be.within(0.9, 0.97);
    expect(baseline_accuracy).to.be.closeTo(1 / 3, 1e-12);
  });

  it('does not find by heart what is not there', () => {
    const labels = SPECIES.map((_, i) => (((i * 7919) % 101) % 2 === 0 ? 'a' : 'b'));
    const { training_accuracy, cross_validated_accuracy } = run(
      { ...irises, labels },
      { ...usual, max_depth: 10 },
    );
    expect(training_accuracy).to.be.greaterThan(0.85);
    expect(cross_validated_accuracy).to.be.lessThan(0.65);
  });

  it('numbers nodes so that branches can be followed', () => {
    const { nodes } = run(irises, usual);
    const [root] = nodes;
    expect(root).to.deep.include({ node: 1, column: 'petal length', threshold: 2.45, rows: 150 });
    const branches = [nodes[root!.left! - 1]!, nodes[root!.right! - 1]!];
    expect(branches.map(({ rows }) => rows)).to.deep.equal([50, 100]);
  });

  it('leaves at least so many rows on each side as asked for', () => {
    const { nodes } = run(irises, { max_depth: 10, min_leaf: 20, seed: 1 });
    expect(Math.min(...nodes.map(({ rows }) => rows))).to.be.at.least(20);
  });

  it('says how much each column helped', () => {
    const { importances } = run(irises, usual);
    expect(importances.map(({ importance }) => importance).reduce((a, b) => a + b)).to.be.closeTo(1, 1e-12);
    expect(importances.slice(2).map(({ importance }) => importance)).to.deep.equal([0, 0]);
  });

  it('asks nothing when no question helps', () => {
    const { rules } = run({ rows: [[1], [1], [1]], labels: ['a', 'b', 'a'] }, usual);
    expect(rules.map(({ rule, prediction }) => [rule, prediction])).to.deep.equal([['always', 'a']]);
  });

  it('tells neighbouring doubles apart', () => {
    const { training_accuracy } = run({ rows: [[1], [1 + Number.EPSILON]], labels: ['a', 'b'] }, usual);
    expect(training_accuracy).to.equal(1);
  });

  it('refuses a single label, too many, and another number of them than rows', () => {
    const rows = Array.from({ length: 21 }, (_, i) => [i]);
    expect(() => run({ rows, labels: rows.map(() => 'a') }, usual)).to.throw(
      InputRejected,
      'All labels are "a"',
    );
    expect(() => run({ rows, labels: rows.map(String) }, usual)).to.throw(
      InputRejected,
      '21 different labels',
    );
    expect(() => run({ rows, labels: ['a', 'b'] }, usual)).to.throw(InputRejected, '2 labels for 21 rows');
  });
});

import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { isConstant } from '../../statistics/moments.ts';
import { centred } from '../../statistics/standardise.ts';
import { columnOf, tableOf, type Table } from '../../statistics/table.ts';
import { about } from './about.ts';

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const table = acceptable(tableOf(input.rows, input.names));
  const points = new Matrix(centred(table, { scaled: params.standardise, freedom: 1 }));
  const { diagonal, rightSingularVectors } = new SingularValueDecomposition(points, { autoTranspose: true });
  const variances = diagonal.map((value) => value ** 2 / (points.rows - 1));
  const count = Math.min(params.components, variances.length);
  const axes = Array.from({ length: count }, (_, i) => upright(rightSingularVectors.getColumn(i)));
  return { components: componentsOf(table.names, variances, axes), scores: scoresOf(points, axes) };
}

function acceptable(table: Table): Table {
  const constant = table.names.filter((_, column) => isConstant(columnOf(table, column)));
  if (constant.length < table.names.length) return table;
  throw new InputRejected('All rows are the same, so there is no direction in which they differ.');
}

/** Decompositions differ in sign; the largest weight is made positive. */
function upright(axis: readonly number[]): number[] {
  const largest = axis.reduce(
    (most, weight) => (Math.abs(weight) > Math.abs(most) + 1e-12 ? weight : most),
    0,
  );
  return axis.map((weight) => (largest < 0 ? -weight : weight));
}

function componentsOf(names: readonly string[], variances: readonly number[], axes: readonly number[][]) {
  const total = variances.reduce((sum, variance) => sum + variance, 0);
  let explained = 0;
  return axes.map((axis, i) => {
    explained += variances[i]!;
    const weights = Object.fromEntries(names.map((name, column) => [name, axis[column]!]));
    const [share, cumulative] = [variances[i]! / total, explained / total];
    return { component: i + 1, variance: variances[i]!, share, cumulative_share: cumulative, weights };
  });
}

function scoresOf(points: Matrix, axes: readonly number[][]) {
  return points.to2DArray().map((point, i) => {
    const scores = axes.map((axis) => axis.reduce((sum, weight, column) => sum + weight * point[column]!, 0));
    return { row: i + 1, x: scores[0]!, y: scores[1] ?? 0, scores };
  });
}

export default embedded(about, run);

import { Matrix, SingularValueDecomposition } from 'ml-matrix';

/** The least-squares solution for columns without intercept. */
export interface Solution {
  readonly coefficients: number[];
  /** The inverse of XᵀX: variances of the coefficients, for residuals of variance 1. */
  readonly covariance: readonly (readonly number[])[];
  readonly leverages: number[];
  readonly conditionNumber: number;
}

/** Columns whose smallest singular value is this much smaller than the largest are dependent, but for rounding. */
const DEPENDENT = 1e-11;

/** Columns that are linearly dependent; the numbers are those that take part. */
export class DependentColumns extends Error {
  readonly columns: readonly number[];

  constructor(columns: readonly number[]) {
    super('The columns are linearly dependent.');
    this.columns = columns;
  }
}

/** Solves by singular value decomposition of the columns scaled to length 1. Throws `DependentColumns`. */
export function leastSquares(rows: readonly (readonly number[])[], y: readonly number[]): Solution {
  const lengths = rows[0]!.map((_, column) => Math.hypot(...rows.map((row) => row[column]!)));
  const scaled = rows.map((row) => row.map((value, column) => value / (lengths[column]! || 1)));
  const {
    leftSingularVectors: U,
    rightSingularVectors: V,
    diagonal,
  } = new SingularValueDecomposition(new Matrix(scaled), {
    autoTranspose: true,
  });
  const [largest, smallest] = [Math.max(...diagonal), Math.min(...diagonal)];
  if (smallest <= largest * DEPENDENT) throw new DependentColumns(dependentColumns(V, diagonal));
  const inverse = V.clone().divRowVector(diagonal);
  const projections = U.transpose().mmul(Matrix.columnVector([...y]));
  const covariance = inverse.mmul(inverse.transpose()).to2DArray();
  return {
    coefficients: inverse
      .mmul(projections)
      .to1DArray()
      .map((value, column) => value / lengths[column]!),
    covariance: covariance.map((row, i) => row.map((value, j) => value / (lengths[i]! * lengths[j]!))),
    leverages: U.to2DArray().map((row) => row.reduce((sum, value) => sum + value * value, 0)),
    conditionNumber: largest / smallest,
  };
}

/** The direction that vanishes names the columns that cancel each other out. */
function dependentColumns(V: Matrix, diagonal: readonly number[]): number[] {
  const vanishing = V.getColumn(diagonal.indexOf(Math.min(...diagonal)));
  return vanishing.flatMap((weight, column) => (Math.abs(weight) > 0.05 ? [column] : []));
}

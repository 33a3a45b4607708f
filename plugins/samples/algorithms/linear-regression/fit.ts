import { mean } from '../../statistics/moments.ts';
import { leastSquares, type Solution } from './least-squares.ts';

/** A fitted model: the intercept, where there is one, comes first. */
export interface Fit {
  readonly coefficients: readonly number[];
  /** Variances of the coefficients for residuals of variance 1. */
  readonly variances: readonly number[];
  readonly leverages: readonly number[];
  readonly conditionNumber: number;
}

/** Fits with or without intercept. Throws `DependentColumns`. */
export function fitted(rows: readonly (readonly number[])[], y: readonly number[], intercept: boolean): Fit {
  return intercept ? fittedWithIntercept(rows, y) : withoutIntercept(leastSquares(rows, y));
}

function withoutIntercept({ coefficients, covariance, leverages, conditionNumber }: Solution): Fit {
  return { coefficients, variances: covariance.map((row, i) => row[i]!), leverages, conditionNumber };
}

/** Centring makes the intercept independent of the slopes, which keeps digits when columns are large and alike. */
function fittedWithIntercept(rows: readonly (readonly number[])[], y: readonly number[]): Fit {
  const means = rows[0]!.map((_, column) => mean(rows.map((row) => row[column]!)));
  const middle = mean(y);
  const slopes = leastSquares(
    rows.map((row) => row.map((value, column) => value - means[column]!)),
    y.map((value) => value - middle),
  );
  const atMeans = means.reduce((sum, value, column) => sum + value * slopes.coefficients[column]!, 0);
  const ofMeans = means.reduce(
    (sum, a, i) => sum + means.reduce((s, b, j) => s + a * b * slopes.covariance[i]![j]!, 0),
    0,
  );
  return {
    coefficients: [middle - atMeans, ...slopes.coefficients],
    variances: [1 / rows.length + ofMeans, ...slopes.covariance.map((row, i) => row[i]!)],
    leverages: slopes.leverages.map((leverage) => leverage + 1 / rows.length),
    conditionNumber: slopes.conditionNumber,
  };
}

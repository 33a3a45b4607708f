import { minimised } from '../../statistics/nelder-mead.ts';
import { Smoother, type Seasonality, type State, type Weights } from './smoother.ts';
import { startState } from './start-state.ts';

/** A smoother that has followed a series, and how well it did. */
export interface Fit {
  readonly weights: Weights;
  readonly end: State;
  /** What was expected of each observation from the second season on. */
  readonly fitted: readonly number[];
  readonly squaredError: number;
}

const STARTS = [
  [0.3, 0.1, 0.1],
  [0.7, 0.05, 0.5],
  [0.1, 0.01, 0.9],
];

/** Chooses the weights with the smallest squared one-step errors. The series has at least two seasons. */
export function fit(series: readonly number[], seasonLength: number, seasonality: Seasonality): Fit {
  const start = startState(series, seasonLength, seasonality);
  const rest = series.slice(seasonLength);
  const judged = (point: readonly number[]) => follow(rest, start, weightsAt(point), seasonality);
  const error = (point: readonly number[]) => {
    const { squaredError } = judged(point);
    return Number.isFinite(squaredError) ? squaredError : Number.MAX_VALUE;
  };
  const valleys = STARTS.map((point) => minimised(error, point, [0, 1]));
  return judged(valleys.reduce((best, other) => (other.value < best.value ? other : best)).point);
}

/** Follows observations with given weights. */
export function follow(
  rest: readonly number[],
  start: State,
  weights: Weights,
  seasonality: Seasonality,
): Fit {
  const smoother = new Smoother(start, weights, seasonality);
  let squaredError = 0;
  const fitted = rest.map((value) => {
    const guess = smoother.expect(1);
    smoother.absorb(value);
    squaredError += (value - guess) ** 2;
    return guess;
  });
  return { weights, end: smoother.state(), fitted, squaredError };
}

function weightsAt(point: readonly number[]): Weights {
  return { level: point[0]!, trend: point[1]!, season: point[2]! };
}

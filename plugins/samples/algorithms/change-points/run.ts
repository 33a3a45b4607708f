import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { deviation, isConstant, mean, median } from '../../statistics/moments.ts';
import { about } from './about.ts';
import { pelt } from './pelt.ts';

type Params = ParamsOf<typeof about>;
type Output = OutputOf<typeof about>;

/** The median size of a difference of neighbours, as a standard deviation of the values when they are normal. */
const FROM_MEDIAN_DIFFERENCE = 1.482602218505602 / Math.SQRT2;
/** Noise smaller than this share of the spread is taken for rounding. */
const LEAST_NOISE = 1e-6;

export function run({ series }: InputOf<typeof about>, params: Params): Output {
  if (isConstant(series))
    throw new InputRejected('All observations are the same, so there is no change to find.');
  if (series.length < 2 * params.min_length) {
    throw new InputRejected(
      `The series has ${series.length} observations, too few for two stretches of ${params.min_length}.`,
    );
  }
  const middle = mean(series);
  const noise = noiseOf(series);
  const scaled = series.map((value) => (value - middle) / noise);
  const starts = pelt(scaled, params.penalty * Math.log(series.length), params.min_length);
  const segments = segmentsOf(series, [0, ...starts]);
  return { changes: starts.map((start) => start + 1), segments, points: pointsOf(series, segments), noise };
}

/** Jumps are few among the differences of neighbours, so their median tells the noise alone. */
function noiseOf(series: readonly number[]): number {
  const differences = series.slice(1).map((value, i) => Math.abs(value - series[i]!));
  return Math.max(FROM_MEDIAN_DIFFERENCE * median(differences), LEAST_NOISE * deviation(series, 0));
}

function segmentsOf(series: readonly number[], starts: readonly number[]): Output['segments'] {
  return starts.map((start, i) => {
    const values = series.slice(start, starts[i + 1] ?? series.length);
    const last = start + values.length;
    return {
      first: start + 1,
      last,
      length: values.length,
      mean: mean(values),
      deviation: deviation(values, 0),
    };
  });
}

function pointsOf(series: readonly number[], segments: Output['segments']): Output['points'] {
  return segments.flatMap((segment) =>
    series.slice(segment.first - 1, segment.last).map((value, i) => ({
      step: segment.first + i,
      value,
      level: segment.mean,
      change: i === 0 && segment.first > 1,
    })),
  );
}

export default embedded(about, run);

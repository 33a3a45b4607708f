import { mean, median } from '../../statistics/moments.ts';

/** Remainders in units of their robust standard deviation. */
export interface RobustScores {
  readonly centre: number;
  readonly scale: number;
  readonly scores: readonly number[];
}

/** A median absolute deviation, and a mean one, become a standard deviation of normal values by these factors. */
const FROM_MEDIAN = 1.482602218505602;
const FROM_MEAN = 1.2533141373155003;

export interface Doubts {
  /** Below this values count as equal. */
  readonly rounding: number;
  /** How many of the values are free; the others were used up by what the values remain from. */
  readonly freedom: number;
}

/**
 * Distances from the median in robust standard deviations. Where more than half of the values agree, the mean absolute
 * deviation serves instead (Iglewicz and Hoaglin, 1993).
 */
export function robustScores(values: readonly number[], { rounding, freedom }: Doubts): RobustScores {
  const centre = median(values);
  const distances = values.map((value) => Math.abs(value - centre));
  const byMedian = FROM_MEDIAN * median(distances);
  const raw = byMedian > rounding ? byMedian : FROM_MEAN * mean(distances);
  if (raw <= rounding) return { centre, scale: 0, scores: values.map(() => 0) };
  const scale = raw * Math.sqrt(values.length / freedom);
  return { centre, scale, scores: values.map((value) => (value - centre) / scale) };
}

/** Arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation of a population (`freedom` 0) or of a sample (`freedom` 1). */
export function deviation(values: readonly number[], freedom: 0 | 1): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - freedom));
}

/** Middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Whether values differ by no more than rounding. */
export function isConstant(values: readonly number[]): boolean {
  const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return values.every((value) => Math.abs(value - values[0]!) <= size * 1e-12);
}

/** The value below which a share of sorted values lies, interpolated between neighbours. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

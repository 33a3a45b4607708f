/** A percentage from 0 to 100 with at most four decimals; 0 when the whole is 0. */
export function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, fourDecimals((part / whole) * 100))) : 0;
}

/** A mean with at most four decimals; 0 when the count is 0. */
export function mean(sum: number, count: number): number {
  return count > 0 ? fourDecimals(sum / count) : 0;
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

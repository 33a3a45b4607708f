/**
 * Histograms of response times on a logarithmic scale: bin 0 has up to a millisecond, and each further bin reaches
 * `GROWTH` times as far as the one before. Only bins with calls are stored, so the scale needs no upper end.
 */
const GROWTH = 1.2;
const LOG_GROWTH = Math.log(GROWTH);
const FIRST_SECONDS = 0.001;

/** The largest relative error of an estimate above a millisecond: half a bin. */
export const RELATIVE_ERROR = Math.sqrt(GROWTH) - 1;

/** The number of the bin of a response time in seconds. */
export function binOf(seconds: number): number {
  return seconds <= FIRST_SECONDS ? 0 : Math.ceil(Math.log(seconds / FIRST_SECONDS) / LOG_GROWTH);
}

/** The calls in a bin, and the sum of their response times in microseconds. */
export interface Bin {
  readonly bin: number;
  readonly calls: number;
  readonly response_us: number;
}

/** Estimates in seconds, for each share, the response time that this share of the calls did not exceed. */
export function percentiles(bins: readonly Bin[], shares: readonly number[]): (number | null)[] {
  const ascending = bins.toSorted((one, other) => one.bin - other.bin);
  const total = ascending.reduce((sum, { calls }) => sum + calls, 0);
  return shares.map((share) => {
    const rank = Math.ceil(share * total);
    let passed = 0;
    const found = ascending.find(({ calls }) => (passed += calls) >= rank);
    return found === undefined ? null : middleOf(found);
  });
}

/** The geometric middle of a bin, which is equally far from both of its ends. Bin 0 has no lower end: its mean. */
function middleOf({ bin, calls, response_us }: Bin): number {
  return bin === 0 ? response_us / calls / 1e6 : FIRST_SECONDS * GROWTH ** (bin - 0.5);
}

/** Maps each of 256 brightnesses to a new one. */
export type Curve = Float64Array;

const LEVELS = 256;

/** How often each brightness occurs. */
export function histogramOf(levels: Iterable<number>): Float64Array {
  const counts = new Float64Array(LEVELS);
  for (const level of levels) counts[level]!++;
  return counts;
}

/** Cuts peaks off at `limit` times an even share and spreads what was cut over all brightnesses. */
export function clipped(counts: Float64Array, limit: number): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = (limit * total) / LEVELS;
  const excess = counts.reduce((sum, count) => sum + Math.max(0, count - most), 0);
  return counts.map((count) => Math.min(count, most) + excess / LEVELS);
}

/**
 * The curve that evens a histogram out: the share of darker pixels, stretched so that the darkest that occurs becomes 0
 * and the brightest 255. A single brightness stays as it is.
 */
export function equalisingCurve(counts: Float64Array): Curve {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const darkest = counts.find((count) => count > 0) ?? 0;
  if (total - darkest < 1e-9) return Float64Array.from({ length: LEVELS }, (_, level) => level);
  let below = 0;
  return counts.map((count) => {
    below += count;
    return Math.max(0, ((below - darkest) / (total - darkest)) * 255);
  });
}

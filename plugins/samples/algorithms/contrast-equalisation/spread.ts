import { histogramOf } from './tile-curves.ts';

/** Figures of how brightness is spread. */
export function spreadOf(values: Float32Array): { mean: number; deviation: number; entropy: number } {
  const counts = histogramOf(values.map(Math.round));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const entropy = counts.reduce((bits, count) => {
    const share = count / values.length;
    return share > 0 ? bits - share * Math.log2(share) : bits;
  }, 0);
  return { mean, deviation: Math.sqrt(variance), entropy };
}

import { squaredDistance } from '../../statistics/clusters.ts';

/**
 * Silhouette of each point (Rousseeuw, 1987): how much nearer it is to its own group than to the next, -1 to 1. A point
 * alone in its group has 0.
 */
export function silhouettes(
  points: readonly (readonly number[])[],
  groups: readonly number[],
  k: number,
): number[] {
  const sizes = Array.from({ length: k }, (_, group) => groups.filter((g) => g === group).length);
  return points.map((point, i) => {
    const sums = new Float64Array(k);
    points.forEach((other, j) => (sums[groups[j]!]! += Math.sqrt(squaredDistance(point, other))));
    return silhouetteOf(sums, sizes, groups[i]!);
  });
}

function silhouetteOf(sums: Float64Array, sizes: readonly number[], own: number): number {
  if (sizes[own] === 1) return 0;
  const inside = sums[own]! / (sizes[own]! - 1);
  const others = sizes.map((size, group) => (group === own || size === 0 ? Infinity : sums[group]! / size));
  const outside = Math.min(...others);
  const larger = Math.max(inside, outside);
  return larger === 0 || larger === Infinity ? 0 : (outside - inside) / larger;
}

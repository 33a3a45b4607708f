import type { Distances } from './distances.ts';

/**
 * The shortest closed tour by dynamic programming (Held and Karp, 1962). Time and memory double with each point: for
 * few points only. The last point is where it begins and ends.
 */
export function shortestTour(distances: Distances): number[] {
  const last = distances.length - 1;
  if (last < 1) return [0];
  const sets = 2 ** last;
  const best = Array.from({ length: sets }, () => new Float64Array(last).fill(Infinity));
  const before = Array.from({ length: sets }, () => new Int8Array(last).fill(-1));
  for (let first = 0; first < last; first++) best[1 << first]![first] = distances[last]![first]!;
  for (let set = 1; set < sets; set++) extend(set, distances, best, before);
  return [last, ...traced(distances, best.at(-1)!, before)];
}

/** From the best paths through a set of points to those through one more. */
function extend(
  set: number,
  distances: Distances,
  best: readonly Float64Array[],
  before: readonly Int8Array[],
): void {
  const last = distances.length - 1;
  for (let end = 0; end < last; end++) {
    const length = best[set]![end]!;
    if (length === Infinity) continue;
    for (let next = 0; next < last; next++) {
      const larger = set | (1 << next);
      const longer = length + distances[end]![next]!;
      if (larger === set || longer >= best[larger]![next]!) continue;
      best[larger]![next] = longer;
      before[larger]![next] = end;
    }
  }
}

function traced(distances: Distances, whole: Float64Array, before: readonly Int8Array[]): number[] {
  const last = distances.length - 1;
  const totals = whole.map((length, end) => length + distances[end]![last]!);
  const path: number[] = [];
  let set = before.length - 1;
  for (let end = totals.indexOf(Math.min(...totals)); end >= 0;) {
    path.unshift(end);
    const previous = before[set]![end]!;
    set &= ~(1 << end);
    end = previous;
  }
  return path;
}

import type { Distances } from './distances.ts';

/** Less than this is rounding and no improvement. */
const ROUNDING = 1e-10;
const LONGEST_RUN = 3;

/** Improves a closed tour until neither turning a stretch round nor moving a short one shortens it. */
export function improve(tour: number[], distances: Distances): void {
  while (turnStretch(tour, distances) || moveRun(tour, distances));
}

/** 2-opt: takes two legs out and turns what lies between them round. Answers whether any turn helped. */
function turnStretch(tour: number[], distances: Distances): boolean {
  let helped = false;
  for (let i = 0; i < tour.length - 2; i++) {
    for (let j = i + 2; j < tour.length; j++) {
      const [a, b, c, d] = [tour[i]!, tour[i + 1]!, tour[j]!, tour[(j + 1) % tour.length]!];
      if (a === d) continue;
      const now = distances[a]![b]! + distances[c]![d]!;
      const then = distances[a]![c]! + distances[b]![d]!;
      if (then >= now - ROUNDING * now) continue;
      turnRound(tour, i + 1, j);
      helped = true;
    }
  }
  return helped;
}

function turnRound(tour: number[], from: number, to: number): void {
  for (let i = from, j = to; i < j; i++, j--) [tour[i], tour[j]] = [tour[j]!, tour[i]!];
}

/** Or-opt: moves up to three successive points elsewhere, either way round. Answers whether a move helped. */
function moveRun(tour: number[], distances: Distances): boolean {
  for (let size = 1; size <= Math.min(LONGEST_RUN, tour.length - 3); size++) {
    for (let from = 0; from < tour.length; from++) {
      if (moveOne(tour, from, size, distances)) return true;
    }
  }
  return false;
}

function moveOne(tour: number[], from: number, size: number, distances: Distances): boolean {
  const at = (place: number) => tour[(from + place) % tour.length]!;
  const [first, end, before, after] = [at(0), at(size - 1), at(tour.length - 1), at(size)];
  const saved = distances[before]![first]! + distances[end]![after]! - distances[before]![after]!;
  if (saved <= 0) return false;
  for (let place = size; place < tour.length - 1; place++) {
    const [left, right] = [at(place), at(place + 1)];
    const straight = distances[left]![first]! + distances[end]![right]!;
    const turned = distances[left]![end]! + distances[first]![right]!;
    if (Math.min(straight, turned) - distances[left]![right]! >= saved * (1 - ROUNDING)) continue;
    const moved = Array.from({ length: tour.length }, (_, i) => at(i));
    const run = moved.splice(0, size);
    moved.splice(place + 1 - size, 0, ...(turned < straight ? run.reverse() : run));
    moved.forEach((point, i) => (tour[i] = point));
    return true;
  }
  return false;
}

import type { Distances } from './distances.ts';

const ROUNDS = 300;
const STEPS_WITHOUT_GAIN = 10;

/**
 * A length that no closed tour falls below (Held and Karp, 1970): the cheapest tree through all points but the first,
 * and two legs for that one. Prices on points that have too many or too few legs raise it step by step; they add up to
 * nothing, since the tree has as many legs as a tour, and so leave the length of every tour as it is.
 */
export function lowerBound(distances: Distances, shortestKnown: number): number {
  const prices = new Float64Array(distances.length);
  let best = 0;
  let stride = 2;
  let waited = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { cost: bound, legs } = oneTree(distances, prices);
    waited = bound > best ? 0 : waited + 1;
    best = Math.max(best, bound);
    if (waited === STEPS_WITHOUT_GAIN) [stride, waited] = [stride / 2, 0];
    const surplus = legs.map((count) => count - 2);
    const size = surplus.reduce((sum, value) => sum + value * value, 0);
    if (size === 0) break;
    const step = (stride * Math.max(0, shortestKnown - bound)) / size;
    surplus.forEach((value, point) => (prices[point]! += step * value));
  }
  return Math.min(best, shortestKnown);
}

interface OneTree {
  readonly cost: number;
  /** How many legs end at each point. */
  readonly legs: Int32Array;
}

/** Prim's algorithm over the points from the second on, then the two cheapest legs of the first. */
function oneTree(distances: Distances, prices: Float64Array): OneTree {
  const size = distances.length;
  const priced = (a: number, b: number) => distances[a]![b]! + prices[a]! + prices[b]!;
  const legs = new Int32Array(size);
  const reach = Float64Array.from({ length: size }, (_, point) => priced(1, point));
  const from = new Int32Array(size).fill(1);
  const open = new Set(Array.from({ length: size - 2 }, (_, i) => i + 2));
  let cost = 0;
  while (open.size > 0) {
    const next = [...open].reduce((nearest, point) => (reach[point]! < reach[nearest]! ? point : nearest));
    open.delete(next);
    cost += reach[next]!;
    legs[next]!++;
    legs[from[next]!]!++;
    for (const point of open) {
      if (priced(next, point) >= reach[point]!) continue;
      reach[point] = priced(next, point);
      from[point] = next;
    }
  }
  for (const point of twoCheapest(distances.length, (other) => priced(0, other))) {
    cost += priced(0, point);
    legs[0]!++;
    legs[point]!++;
  }
  return { cost, legs };
}

function twoCheapest(size: number, price: (point: number) => number): number[] {
  return Array.from({ length: size - 1 }, (_, i) => i + 1)
    .sort((a, b) => price(a) - price(b))
    .slice(0, 2);
}

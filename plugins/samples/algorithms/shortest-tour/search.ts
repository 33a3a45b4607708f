import { seededRandom } from '../../statistics/random.ts';
import { tourLength, type Distances } from './distances.ts';
import { improve } from './moves.ts';

const FIRST_TOURS = 5;

export interface Effort {
  readonly restarts: number;
  readonly seed: number;
}

/** A short closed tour of at least four points: the best of a few improved first tours, then disturbed and improved again and again. */
export function shortTour(distances: Distances, { restarts, seed }: Effort): number[] {
  const size = distances.length;
  const starts = Array.from(
    { length: Math.min(FIRST_TOURS, size) },
    (_, i) => Math.floor((i * size) / FIRST_TOURS) % size,
  );
  let best = shortest(
    starts.map((start) => improved(nearestNeighbours(start, distances), distances)),
    distances,
  );
  let length = tourLength(best, distances);
  const random = seededRandom(seed);
  for (let restart = 0; restart < restarts; restart++) {
    const other = improved(doubleBridge(best, random), distances);
    const otherLength = tourLength(other, distances);
    if (otherLength < length) [best, length] = [other, otherLength];
  }
  return best;
}

function improved(tour: number[], distances: Distances): number[] {
  improve(tour, distances);
  return tour;
}

function shortest(tours: readonly number[][], distances: Distances): number[] {
  return tours.reduce((best, tour) =>
    tourLength(tour, distances) < tourLength(best, distances) ? tour : best,
  );
}

/** Always on to the nearest point that was not visited yet. */
function nearestNeighbours(start: number, distances: Distances): number[] {
  const tour = [start];
  const open = new Set(distances.keys());
  open.delete(start);
  while (open.size > 0) {
    const row = distances[tour.at(-1)!]!;
    const next = [...open].reduce((nearest, point) => (row[point]! < row[nearest]! ? point : nearest));
    tour.push(next);
    open.delete(next);
  }
  return tour;
}

/** Cuts a tour in four and joins the parts in another order: a change that 2-opt and Or-opt do not undo. */
function doubleBridge(tour: readonly number[], random: () => number): number[] {
  const cuts = Array.from({ length: 3 }, () => 1 + Math.floor(random() * (tour.length - 1))).sort(
    (a, b) => a - b,
  );
  const [a, b, c] = cuts as [number, number, number];
  return [...tour.slice(0, a), ...tour.slice(b, c), ...tour.slice(a, b), ...tour.slice(c)];
}

import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { about } from './about.ts';
import { distancesBetween, tourLength, withJoker, type Distances } from './distances.ts';
import { shortestTour } from './exact.ts';
import { lowerBound } from './lower-bound.ts';
import { shortTour } from './search.ts';

type Params = ParamsOf<typeof about>;
type Input = InputOf<typeof about>;
type Output = OutputOf<typeof about>;

/** Up to this number of points the shortest tour is found for certain. */
const FEW = 12;
const ROUNDING = 1e-9;

export function run(input: Input, params: Params): Output {
  if (params.distance === 'earth') refuseBeyondTheEarth(input.points);
  const between = distancesBetween(input.points, params.distance);
  const distances = params.return_to_start ? between : withJoker(between);
  const few = input.points.length <= FEW;
  const tour = few ? shortestTour(distances) : shortTour(distances, params);
  const length = tourLength(tour, distances);
  const bound = few ? length : lowerBound(distances, length);
  const order = params.return_to_start ? fromTheFirst(tour) : fromTheJoker(tour, input.points.length);
  return {
    length,
    lower_bound: bound,
    gap_percent: bound > 0 ? (100 * (length - bound)) / bound : 0,
    exact: length - bound <= ROUNDING * length,
    order: order.map((point) => point + 1),
    stops: stopsOf(params.return_to_start ? [...order, order[0]!] : order, input.points, between),
  };
}

function refuseBeyondTheEarth(points: Input['points']): void {
  const wrong = points.findIndex(({ x, y }) => Math.abs(x) > 180 || Math.abs(y) > 90);
  if (wrong < 0) return;
  const { x, y } = points[wrong]!;
  throw new InputRejected(
    `Point ${wrong + 1} lies at longitude ${x} and latitude ${y}; they reach from -180 to 180 and from -90 to 90.`,
  );
}

/** A round begins with the first point and goes on to the lower of its neighbours. */
function fromTheFirst(tour: readonly number[]): number[] {
  const start = tour.indexOf(0);
  const turned = [...tour.slice(start), ...tour.slice(0, start)];
  return turned.at(-1)! < turned[1]! ? [turned[0]!, ...turned.slice(1).reverse()] : turned;
}

/** A path begins after the point that only stood for "anywhere". */
function fromTheJoker(tour: readonly number[], joker: number): number[] {
  const at = tour.indexOf(joker);
  const path = [...tour.slice(at + 1), ...tour.slice(0, at)];
  return path.at(-1)! < path[0]! ? path.reverse() : path;
}

function stopsOf(order: readonly number[], points: Input['points'], distances: Distances): Output['stops'] {
  return order.map((point, i) => {
    const { name = `point ${point + 1}`, x, y } = points[point]!;
    return { point: point + 1, name, x, y, leg: i === 0 ? 0 : distances[order[i - 1]!]![point]! };
  });
}

export default embedded(about, run);

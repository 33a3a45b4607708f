/** Distances between all points, both ways alike. */
export type Distances = readonly Float64Array[];

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Mean radius of the earth (IUGG), km. */
const EARTH_RADIUS = 6371.0088;
const DEGREE = Math.PI / 180;

export function distancesBetween(places: readonly Place[], measure: 'plane' | 'earth'): Float64Array[] {
  const distance = measure === 'plane' ? straight : greatCircle;
  return places.map((a) => Float64Array.from(places, (b) => distance(a, b)));
}

/** Adds a last point that is no distance from any: where a tour passes it, a path may begin and end. */
export function withJoker(distances: Distances): Float64Array[] {
  const joker = new Float64Array(distances.length + 1);
  return [...distances.map((row) => Float64Array.from([...row, 0])), joker];
}

/** Length of a closed tour. */
export function tourLength(tour: ArrayLike<number>, distances: Distances): number {
  let length = 0;
  for (let i = 0; i < tour.length; i++) length += distances[tour[i]!]![tour[(i + 1) % tour.length]!]!;
  return length;
}

function straight(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Haversine formula; x is longitude and y latitude, in degrees. */
function greatCircle(a: Place, b: Place): number {
  const [north, east] = [Math.sin(((a.y - b.y) * DEGREE) / 2), Math.sin(((a.x - b.x) * DEGREE) / 2)];
  const chord = north ** 2 + Math.cos(a.y * DEGREE) * Math.cos(b.y * DEGREE) * east ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** How to smooth: by means or lines (the default), the number of neighbours, the trust in each observation (1 if absent). */
export interface Smoothing {
  readonly window: number;
  readonly by?: 'mean' | 'line';
  readonly trust?: Float64Array;
}

/** Local means or straight lines (loess of degree 0 or 1) through evenly spaced values, at each of their places. */
export function loess(values: Float64Array, smoothing: Smoothing): Float64Array {
  const size = values.length;
  const width = Math.min(smoothing.window, size);
  const half = (width + 1) >> 1;
  return values.map((value, place) => {
    const from = Math.min(Math.max(0, place + 1 - half), size - width);
    return lineAt(values, place, from, from + width, smoothing) ?? value;
  });
}

/** The line at one place, which may lie outside, from the values `from` up to `until`; nothing when none is trusted. */
export function lineAt(
  values: Float64Array,
  place: number,
  from: number,
  until: number,
  { window, by, trust }: Smoothing,
): number | undefined {
  const weights = nearness(values.length, place, from, until, window);
  if (trust) for (let i = from; i < until; i++) weights[i - from]! *= trust[i]!;
  const total = sumOf(weights, from, 0);
  if (total <= 0) return undefined;
  const middle = sumOf(weights, from, 1) / total;
  const slope = by === 'mean' ? 0 : tilt(weights, place - middle, middle - from, total, values.length);
  let line = 0;
  for (let i = 0; i < weights.length; i++)
    line += weights[i]! * (1 + slope * (from + i - middle)) * values[from + i]!;
  return line / total;
}

/** Tricube weights: 1 at the place itself, falling to 0 at the farthest neighbour. */
function nearness(size: number, place: number, from: number, until: number, window: number): Float64Array {
  let reach = Math.max(place - from, until - 1 - place);
  if (window > size) reach += Math.floor((window - size) / 2);
  const weights = new Float64Array(until - from);
  for (let i = 0; i < weights.length; i++) {
    const distance = Math.abs(from + i - place) / reach;
    const falling = 1 - distance * distance * distance;
    if (distance <= 0.999) weights[i] = distance > 0.001 ? falling * falling * falling : 1;
  }
  return weights;
}

/** Sum of the weights, or with power 1 of the weights times their places. */
function sumOf(weights: Float64Array, from: number, power: 0 | 1): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * (power === 1 ? from + i : 1);
  return sum;
}

/** What turns the weights of a mean into those of a straight line at the place; 0 where the places are too close. */
function tilt(weights: Float64Array, offset: number, middle: number, total: number, size: number): number {
  let spread = 0;
  for (let i = 0; i < weights.length; i++) spread += weights[i]! * (i - middle) * (i - middle);
  spread /= total;
  return Math.sqrt(spread) > 0.001 * (size - 1) ? offset / spread : 0;
}

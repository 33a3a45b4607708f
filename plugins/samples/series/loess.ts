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
  let nearness: Float64Array = new Float64Array();
  let offset = -1;
  return values.map((value, place) => {
    const from = Math.min(Math.max(0, place + 1 - half), size - width);
    // Away from the ends all places see their neighbours alike.
    if (place - from !== offset) nearness = tricube(place - from, width, reachBeyond(smoothing.window, size));
    offset = place - from;
    return locally(values, place, from, nearness, smoothing) ?? value;
  });
}

/** The line at one place, which may lie outside, from the values `from` up to `until`; nothing when none is trusted. */
export function lineAt(
  values: Float64Array,
  place: number,
  from: number,
  until: number,
  smoothing: Smoothing,
): number | undefined {
  const nearness = tricube(place - from, until - from, reachBeyond(smoothing.window, values.length));
  return locally(values, place, from, nearness, smoothing);
}

/** A window that is wider than the series reaches beyond its ends. */
function reachBeyond(window: number, size: number): number {
  return Math.max(0, Math.floor((window - size) / 2));
}

/** Weights of `width` neighbours: 1 at the place itself, `offset` from the first, falling to 0 at the farthest. */
function tricube(offset: number, width: number, beyond: number): Float64Array {
  const reach = Math.max(offset, width - 1 - offset) + beyond;
  const weights = new Float64Array(width);
  for (let i = 0; i < width; i++) {
    const distance = Math.abs(i - offset) / reach;
    const falling = 1 - distance * distance * distance;
    if (!(distance > 0.001)) weights[i] = 1;
    else if (distance <= 0.999) weights[i] = falling * falling * falling;
  }
  return weights;
}

/** The weighted mean or least-squares line through the neighbours, at the place. */
function locally(
  values: Float64Array,
  place: number,
  from: number,
  nearness: Float64Array,
  { by, trust }: Smoothing,
): number | undefined {
  let [weight, moment, inertia, sum, product] = [0, 0, 0, 0, 0];
  for (let i = 0; i < nearness.length; i++) {
    const w = trust ? nearness[i]! * trust[from + i]! : nearness[i]!;
    const distance = from + i - place;
    weight += w;
    moment += w * distance;
    inertia += w * distance * distance;
    sum += w * values[from + i]!;
    product += w * distance * values[from + i]!;
  }
  if (weight <= 0) return undefined;
  const [mean, middle] = [sum / weight, moment / weight];
  const spread = inertia / weight - middle * middle;
  const level = by === 'mean' || Math.sqrt(Math.max(0, spread)) <= 0.001 * (values.length - 1);
  return level ? mean : mean - (middle * (product / weight - middle * mean)) / spread;
}

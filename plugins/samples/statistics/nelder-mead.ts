/** A corner of the simplex and the value there. */
interface Corner {
  readonly point: readonly number[];
  readonly value: number;
}

const MOST_STEPS = 2000;
const PRECISION = 1e-12;
const FIRST_STEP = 0.15;

/**
 * Looks for the smallest value of a function within bounds, without derivatives (Nelder and Mead, 1965). Finds a valley,
 * not necessarily the deepest: begin at several points.
 */
export function minimised(
  of: (point: readonly number[]) => number,
  start: readonly number[],
  bounds: readonly [low: number, high: number],
): Corner {
  const corner = (raw: readonly number[]): Corner => {
    const point = raw.map((value) => Math.min(bounds[1], Math.max(bounds[0], value)));
    return { point, value: of(point) };
  };
  const step = (bounds[1] - bounds[0]) * FIRST_STEP;
  let corners = [
    corner(start),
    ...start.map((_, axis) => corner(start.map((v, i) => (i === axis ? v + step : v)))),
  ];
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    corners.sort((a, b) => a.value - b.value);
    if (spread(corners) < PRECISION) break;
    corners = moved(corners, corner);
  }
  return corners.reduce((best, other) => (other.value < best.value ? other : best));
}

/** Replaces the worst corner by one across the others, or draws all towards the best. */
function moved(corners: readonly Corner[], corner: (point: readonly number[]) => Corner): Corner[] {
  const rest = corners.slice(0, -1);
  const [best, worst] = [corners[0]!, corners.at(-1)!];
  const middle = best.point.map(
    (_, axis) => rest.reduce((sum, { point }) => sum + point[axis]!, 0) / rest.length,
  );
  const along = (by: number) =>
    corner(middle.map((value, axis) => value + by * (worst.point[axis]! - value)));
  const reflected = along(-1);
  if (reflected.value < best.value) return [...rest, lower(along(-2), reflected)];
  if (reflected.value < rest.at(-1)!.value) return [...rest, reflected];
  const contracted = reflected.value < worst.value ? along(-0.5) : along(0.5);
  if (contracted.value < Math.min(worst.value, reflected.value)) return [...rest, contracted];
  return corners.map(({ point }) =>
    corner(point.map((value, axis) => best.point[axis]! + (value - best.point[axis]!) / 2)),
  );
}

function lower(a: Corner, b: Corner): Corner {
  return a.value < b.value ? a : b;
}

/** Relative difference of the values, and the extent of the simplex: both must vanish. */
function spread(corners: readonly Corner[]): number {
  const [best, worst] = [corners[0]!, corners.at(-1)!];
  const extent = Math.max(...best.point.map((value, axis) => Math.abs(value - worst.point[axis]!)));
  return Math.max(extent ** 2, (worst.value - best.value) / (Math.abs(best.value) + Number.MIN_VALUE));
}

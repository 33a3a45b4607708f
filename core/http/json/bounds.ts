/** Keywords of bounds in JSON Schema and in the parameters of a version: 1 for an upper bound, -1 for a lower one. */
const BOUNDS: ReadonlyMap<string, 1 | -1> = new Map([
  ['maximum', 1],
  ['exclusiveMaximum', 1],
  ['max', 1],
  ['minimum', -1],
  ['exclusiveMinimum', -1],
  ['min', -1],
]);

/** Keywords whose values are data, which must not change. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);

/**
 * The direction in which the bound at a place is rounded; `undefined` where no number may change. The path has the keys
 * from the top of the body, empty for items of lists.
 */
export function directionAt(path: readonly string[]): 1 | -1 | undefined {
  return path.some((key) => DATA.has(key)) ? undefined : BOUNDS.get(path.at(-1) ?? '');
}

/**
 * The nearest double that is not below (1) or not above (-1) a whole number, so that a bound of 64 bits allows every value
 * that it allows with all its digits.
 */
export function roundedOutward(literal: string, direction: 1 | -1): number {
  const exact = BigInt(literal);
  const nearest = Number(literal);
  const missing = direction * Number(BigInt(nearest) - exact);
  if (missing >= 0) return nearest;
  const double = new Float64Array([nearest]);
  const bits = new BigInt64Array(double.buffer);
  // Doubles of one sign are in the order of their bits.
  bits[0] = bits[0]! + (nearest > 0 === direction > 0 ? 1n : -1n);
  return Number.isFinite(double[0]) ? double[0]! : nearest;
}

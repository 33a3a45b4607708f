import type { Gradient } from './gradient.ts';

const EIGHTH_TURN = Math.PI / 4;
/** Steps to the neighbour across an edge, by the gradient's direction in eighths of a turn. */
const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
] as const;

/** Keeps the strength of pixels that are the strongest across their edge; all others become 0. */
export function thinned(gradient: Gradient): Float32Array {
  const { width, height, strength } = gradient;
  const thin = new Float32Array(strength.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = y * width + x;
      if (isCrest(gradient, x, y)) thin[here] = strength[here]!;
    }
  }
  return thin;
}

/** Of two equal neighbours the first is kept, so that an even edge stays one pixel wide. */
function isCrest(gradient: Gradient, x: number, y: number): boolean {
  const here = y * gradient.width + x;
  const angle = Math.atan2(gradient.y[here]!, gradient.x[here]!);
  const [dx, dy] = STEPS[(Math.round(angle / EIGHTH_TURN) + 4) % 4]!;
  const strength = gradient.strength[here]!;
  return strength > strengthAt(gradient, x - dx, y - dy) && strength >= strengthAt(gradient, x + dx, y + dy);
}

function strengthAt({ width, height, strength }: Gradient, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : strength[y * width + x]!;
}

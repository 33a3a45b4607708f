import type { Plane } from '../../pictures/picture.ts';

/** The slope of brightness at each pixel, in grey levels for each pixel. */
export interface Gradient {
  readonly width: number;
  readonly height: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly strength: Float32Array;
}

/** Sobel's operator, an eighth of it so that a ramp of one level has strength one. */
export function gradientOf({ width, height, values }: Plane): Gradient {
  const size = values.length;
  const gradient = {
    width,
    height,
    x: new Float32Array(size),
    y: new Float32Array(size),
    strength: new Float32Array(size),
  };
  const at = (x: number, y: number) =>
    values[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = y * width + x;
      const [nw, ne, sw, se] = [at(x - 1, y - 1), at(x + 1, y - 1), at(x - 1, y + 1), at(x + 1, y + 1)];
      gradient.x[here] = (ne + 2 * at(x + 1, y) + se - nw - 2 * at(x - 1, y) - sw) / 8;
      gradient.y[here] = (sw + 2 * at(x, y + 1) + se - nw - 2 * at(x, y - 1) - ne) / 8;
      gradient.strength[here] = Math.hypot(gradient.x[here]!, gradient.y[here]!);
    }
  }
  return gradient;
}

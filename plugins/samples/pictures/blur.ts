import type { Plane } from './picture.ts';

/** Gaussian blur; beyond the border the picture goes on as its last pixel. `sigma` in pixels, 0 for none. */
export function blurred(plane: Plane, sigma: number): Plane {
  if (sigma === 0) return plane;
  const kernel = gaussianKernel(sigma);
  return alongRows(transposed(alongRows(transposed(plane), kernel)), kernel);
}

/** Three sigmas to each side hold 99.7 % of the bell. */
function gaussianKernel(sigma: number): Float64Array {
  const radius = Math.ceil(3 * sigma);
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  return kernel.map((weight) => weight / sum);
}

function alongRows({ width, height, values }: Plane, kernel: Float64Array): Plane {
  const radius = (kernel.length - 1) / 2;
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++) {
        const column = Math.min(width - 1, Math.max(0, x + k));
        sum += kernel[k + radius]! * values[y * width + column]!;
      }
      result[y * width + x] = sum;
    }
  }
  return { width, height, values: result };
}

function transposed({ width, height, values }: Plane): Plane {
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) result[x * height + y] = values[y * width + x]!;
  }
  return { width: height, height: width, values: result };
}

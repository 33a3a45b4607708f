/** Marks with 255 the pixels that are strong, and the weak ones that are joined to a strong one (eight neighbours). */
export function joined(strength: Float32Array, width: number, low: number, high: number): Uint8Array {
  const edges = new Uint8Array(strength.length);
  const open: number[] = [];
  const mark = (pixel: number): void => {
    edges[pixel] = 255;
    open.push(pixel);
  };
  strength.forEach((value, pixel) => {
    if (value >= high) mark(pixel);
  });
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    for (const neighbour of neighboursOf(pixel, width, strength.length)) {
      if (!edges[neighbour] && strength[neighbour]! >= low) mark(neighbour);
    }
  }
  return edges;
}

function* neighboursOf(pixel: number, width: number, size: number): Generator<number> {
  const x = pixel % width;
  for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
    for (const row of [-width, 0, width]) {
      const neighbour = pixel + row + dx;
      if (neighbour !== pixel && neighbour >= 0 && neighbour < size) yield neighbour;
    }
  }
}

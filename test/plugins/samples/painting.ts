import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Plane } from '../../../plugins/samples/pictures/picture.ts';

export type Paint = readonly [red: number, green: number, blue: number, alpha?: number];
type Painter = (x: number, y: number) => Paint;

function pixels(width: number, height: number, painter: Painter): Buffer {
  const paints = Array.from({ length: width * height }, (_, i) => painter(i % width, Math.floor(i / width)));
  return Buffer.from(paints.flatMap(([red, green, blue, alpha = 255]) => [red, green, blue, alpha]));
}

/** A PNG in base64, painted pixel by pixel. */
export function paint(width: number, height: number, painter: Painter): string {
  const png = Object.assign(new PNG({ width, height }), { data: pixels(width, height, painter) });
  return PNG.sync.write(png).toString('base64');
}

/** The same as a JPEG. */
export function paintJpeg(width: number, height: number, painter: Painter): string {
  return Buffer.from(jpeg.encode({ width, height, data: pixels(width, height, painter) }, 95).data).toString(
    'base64',
  );
}

/** Brightness, painted pixel by pixel. */
export function plane(width: number, height: number, level: (x: number, y: number) => number): Plane {
  const values = Float32Array.from({ length: width * height }, (_, i) =>
    level(i % width, Math.floor(i / width)),
  );
  return { width, height, values };
}

/** A JPEG of twelve megapixels, as telephones take them. */
export function photograph(): string {
  const [width, height] = [4000, 3000];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.writeUInt16LE(((x >> 3) * (y >> 4)) & 0xffff, (y * width + x) * 4);
  }
  return Buffer.from(jpeg.encode({ width, height, data }, 60).data).toString('base64');
}

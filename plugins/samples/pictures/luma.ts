import type { Picture, Plane } from './picture.ts';

/** Brightness by ITU-R BT.601, 0 to 255. What is transparent is seen over white. */
export function lumaOf({ width, height, rgba }: Picture): Plane {
  const values = new Float32Array(width * height);
  for (let pixel = 0, at = 0; pixel < values.length; pixel++, at += 4) {
    const luma = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!;
    const opacity = rgba[at + 3]! / 255;
    values[pixel] = luma * opacity + 255 * (1 - opacity);
  }
  return { width, height, values };
}

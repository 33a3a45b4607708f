import { InputRejected } from '../../input-rejected.ts';
import { labOf } from '../../pictures/lab.ts';
import type { Picture } from '../../pictures/picture.ts';

const MOST = 4096;
const HALF_TRANSPARENT = 128;

/** Evenly spaced opaque pixels of a picture in L*a*b*. */
export function sampledPixels(picture: Picture): number[][] {
  const opaque = countOpaque(picture);
  if (opaque === 0) throw new InputRejected('The picture is wholly transparent and has no colours to count.');
  const count = Math.min(MOST, opaque);
  const pixels: number[][] = [];
  let seen = 0;
  for (let at = 0; at < picture.rgba.length; at += 4) {
    if (picture.rgba[at + 3]! < HALF_TRANSPARENT) continue;
    if (seen++ === Math.floor(((pixels.length + 0.5) * opaque) / count)) pixels.push(labAt(picture, at));
  }
  return pixels;
}

function countOpaque({ rgba }: Picture): number {
  let count = 0;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= HALF_TRANSPARENT) count++;
  return count;
}

function labAt({ rgba }: Picture, at: number): number[] {
  return [...labOf([rgba[at]!, rgba[at + 1]!, rgba[at + 2]!])];
}

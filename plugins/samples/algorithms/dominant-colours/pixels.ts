import { InputRejected } from '../../input-rejected.ts';
import { labOf } from '../../pictures/lab.ts';
import type { Picture } from '../../pictures/picture.ts';

const MOST = 4096;
const HALF_TRANSPARENT = 128;

/** Evenly spaced opaque pixels of a picture in L*a*b*. */
export function sampledPixels({ rgba }: Picture): number[][] {
  const opaque: number[] = [];
  for (let at = 0; at < rgba.length; at += 4) if (rgba[at + 3]! >= HALF_TRANSPARENT) opaque.push(at);
  if (opaque.length === 0)
    throw new InputRejected('The picture is wholly transparent and has no colours to count.');
  const count = Math.min(MOST, opaque.length);
  return Array.from({ length: count }, (_, i) => {
    const at = opaque[Math.floor(((i + 0.5) * opaque.length) / count)]!;
    return [...labOf([rgba[at]!, rgba[at + 1]!, rgba[at + 2]!])];
  });
}

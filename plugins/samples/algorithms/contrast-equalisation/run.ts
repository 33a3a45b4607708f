import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { decodePicture } from '../../pictures/decode.ts';
import { encodePicture } from '../../pictures/encode.ts';
import { lumaOf } from '../../pictures/luma.ts';
import type { Picture } from '../../pictures/picture.ts';
import { fitted } from '../../pictures/scale.ts';
import { about } from './about.ts';
import { equalised } from './equalise.ts';
import { spreadOf } from './spread.ts';

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const decoded = decodePicture(input.image);
  const picture = fitted(decoded, params.max_side);
  const before = lumaOf(picture);
  const after = equalised(before, params.tiles, params.clip_limit);
  return {
    image: encodePicture(withBrightness(picture, before.values, after), decoded.format),
    before: spreadOf(before.values),
    after: spreadOf(after),
  };
}

/** Adds the change of brightness to all three colours alike, which keeps the difference between them: the hue. */
function withBrightness(picture: Picture, before: Float32Array, after: Float32Array): Picture {
  const rgba = Uint8Array.from(picture.rgba);
  before.forEach((old, pixel) => {
    const change = after[pixel]! - old;
    for (let at = pixel * 4; at < pixel * 4 + 3; at++) {
      rgba[at] = Math.min(255, Math.max(0, Math.round(rgba[at]! + change)));
    }
  });
  return { ...picture, rgba };
}

export default embedded(about, run);

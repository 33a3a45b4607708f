import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { blurred } from '../../pictures/blur.ts';
import { decodePicture } from '../../pictures/decode.ts';
import { encodeGrey } from '../../pictures/encode.ts';
import { lumaOf } from '../../pictures/luma.ts';
import type { Plane } from '../../pictures/picture.ts';
import { fitted } from '../../pictures/scale.ts';
import { about } from './about.ts';
import { gradientOf } from './gradient.ts';
import { joined } from './hysteresis.ts';
import { thinned } from './thinning.ts';

type Thresholds = Pick<ParamsOf<typeof about>, 'sigma' | 'low' | 'high'>;

/** A picture whose steepest place is flatter than this, in grey levels for each pixel, has no edges. */
const FLAT = 1;
/** Rounding must not turn an even slope into a crest. */
const ALMOST_NOTHING = 1e-6;

/** 255 at the edges of a plane, 0 elsewhere. */
export function edgesOf(plane: Plane, { sigma, low, high }: Thresholds): Uint8Array {
  const gradient = gradientOf(blurred(plane, sigma));
  const steepest = gradient.strength.reduce((most, value) => Math.max(most, value), 0);
  if (steepest < FLAT) return new Uint8Array(plane.values.length);
  const floor = steepest * ALMOST_NOTHING;
  return joined(
    thinned(gradient),
    plane.width,
    Math.max(floor, low * steepest),
    Math.max(floor, high * steepest),
  );
}

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  if (params.high < params.low) {
    throw new InputRejected(
      `The strong threshold ${params.high} is below the weak one ${params.low}. Swap them.`,
    );
  }
  const plane = lumaOf(fitted(decodePicture(input.image), params.max_side));
  const edges = edgesOf(plane, params);
  const edgePixels = edges.reduce((count, value) => count + (value ? 1 : 0), 0);
  const { width, height } = plane;
  return {
    image: encodeGrey(width, height, edges),
    width,
    height,
    edge_pixels: edgePixels,
    edge_share: edgePixels / edges.length,
  };
}

export default embedded(about, run);

import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { decodePicture } from '../../pictures/decode.ts';
import { rgbOf, type Lab } from '../../pictures/lab.ts';
import { clustered, differentPoints, squaredDistance } from '../../statistics/clusters.ts';
import { about } from './about.ts';
import { sampledPixels } from './pixels.ts';

type Output = OutputOf<typeof about>;

const STARTS = 3;

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): Output {
  const pixels = sampledPixels(decodePicture(input.image));
  const k = Math.min(params.colours, differentPoints(pixels));
  const { groups, centres } = clustered(pixels, k, params.seed, STARTS);
  const sizes = centres.map((_, group) => groups.filter((g) => g === group).length);
  const distances = pixels.map((pixel, i) => Math.sqrt(squaredDistance(pixel, centres[groups[i]!]!)));
  return {
    colours: centres
      .map((centre, group) => colourOf(centre, sizes[group]! / pixels.length))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share),
    pixels_looked_at: pixels.length,
    mean_distance: distances.reduce((sum, distance) => sum + distance, 0) / pixels.length,
  };
}

function colourOf(centre: readonly number[], share: number): Output['colours'][number] {
  const [red, green, blue] = rgbOf(centre as unknown as Lab);
  const hex = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return { hex, red, green, blue, share };
}

export default embedded(about, run);

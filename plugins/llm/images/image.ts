import type { Image } from '../contract.ts';
import { ImageUnusable } from '../problems.ts';
import { readHeader } from './image-header.ts';

/** Photos from a phone are smaller. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Unpacked, these take 160 MB at four bytes each; no vision model looks at more. */
const MAX_PIXELS = 40_000_000;

/**
 * Takes bytes for an image by what they are, whatever their server calls them: SVG and HTML, which could carry
 * scripts, are none. Throws `ImageUnusable` for anything else and for one with too many pixels.
 */
export function imageFrom(bytes: Buffer): Image {
  const header = readHeader(bytes);
  if (header === undefined) {
    throw ImageUnusable('There is no PNG, JPEG, GIF or WebP image at this address.');
  }
  const { contentType, width, height } = header;
  if (width * height > MAX_PIXELS) {
    throw ImageUnusable(
      `The image has ${width} × ${height} pixels; at most ${MAX_PIXELS} are taken. Scale it down.`,
    );
  }
  return { contentType, width, height, bytes };
}

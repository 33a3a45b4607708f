import type { Image } from '../contract.ts';
import { ImageUnusable } from '../problems.ts';
import { readHeader } from './image-header.ts';

/**
 * Takes bytes for an image by what they are, whatever their server calls them: SVG and HTML, which could carry
 * scripts, are none. Throws `ImageUnusable` for anything else and for one with too many pixels.
 */
export function imageFrom(bytes: Buffer, limits: { readonly max_image_pixels: number }): Image {
  const header = readHeader(bytes);
  if (header === undefined) {
    throw ImageUnusable('There is no PNG, JPEG, GIF or WebP image at this address.');
  }
  const { contentType, width, height } = header;
  if (width * height > limits.max_image_pixels) {
    throw ImageUnusable(
      `The image has ${width} × ${height} pixels; at most ${limits.max_image_pixels} are taken. Scale it down.`,
    );
  }
  return { contentType, width, height, bytes };
}

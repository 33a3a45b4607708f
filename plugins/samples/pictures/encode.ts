import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Picture, PictureFormat } from './picture.ts';

/** A picture as an output carries it. */
export interface EncodedPicture {
  content_type: PictureFormat;
  data_base64: string;
}

const JPEG_QUALITY = 90;
const GREYSCALE = 0;

/** Encodes in the format that came in, so that a photograph stays small and a drawing exact. */
export function encodePicture(picture: Picture, format: PictureFormat): EncodedPicture {
  const { width, height } = picture;
  const data = Buffer.from(picture.rgba.buffer, picture.rgba.byteOffset, picture.rgba.byteLength);
  const bytes =
    format === 'image/jpeg'
      ? jpeg.encode({ width, height, data }, JPEG_QUALITY).data
      : PNG.sync.write(Object.assign(new PNG({ width, height }), { data }));
  return { content_type: format, data_base64: Buffer.from(bytes).toString('base64') };
}

/** Encodes one byte for each pixel as a greyscale PNG. */
export function encodeGrey(width: number, height: number, grey: Uint8Array): EncodedPicture {
  const png = Object.assign(new PNG({ width, height }), { data: Buffer.from(grey) });
  const bytes = PNG.sync.write(png, { colorType: GREYSCALE, inputColorType: GREYSCALE, bitDepth: 8 });
  return { content_type: 'image/png', data_base64: bytes.toString('base64') };
}

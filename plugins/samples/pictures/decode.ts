import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { InputRejected } from '../input-rejected.ts';
import { readHeader, type PictureHeader } from './header.ts';
import type { Picture, PictureFormat } from './picture.ts';

/** What a photograph from a telephone has. Decoding one takes up to 0.3 GB. */
const MAX_PIXELS = 12_500_000;
const MAX_JPEG_MEMORY_MB = 400;
const DATA_URL = /^data:image\/(?:png|jpeg);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes base64 of a PNG or JPEG. Size is judged before anything is decoded. Throws `InputRejected`. */
export function decodePicture(base64: string): Picture & { readonly format: PictureFormat } {
  const bytes = bytesOf(base64);
  const header = acceptable(readHeader(bytes));
  try {
    return {
      ...(header.format === 'image/png' ? decodePng(bytes) : decodeJpeg(bytes)),
      format: header.format,
    };
  } catch (error) {
    throw new InputRejected('The picture is damaged and cannot be decoded. Save it again and send that.', {
      cause: error,
    });
  }
}

function bytesOf(base64: string): Buffer {
  const text = base64.replace(DATA_URL, '').replace(/\s+/g, '');
  if (!BASE64.test(text))
    throw new InputRejected('The picture is not base64. Send the bytes of a PNG or JPEG in base64.');
  return Buffer.from(text, 'base64');
}

function acceptable(header: PictureHeader | undefined): PictureHeader {
  if (!header) throw new InputRejected('The picture is neither PNG nor JPEG. Convert it to one of them.');
  const { width, height, interlaced } = header;
  if (width === 0 || height === 0) throw new InputRejected('The picture is empty: it has no pixels.');
  if (width * height > MAX_PIXELS) {
    throw new InputRejected(
      `The picture has ${width} by ${height} pixels; at most 12.5 million are accepted. Scale it down.`,
    );
  }
  if (interlaced)
    throw new InputRejected('The PNG is interlaced, which is not supported. Save it without interlacing.');
  return header;
}

function decodePng(bytes: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, rgba: data };
}

function decodeJpeg(bytes: Buffer): Picture {
  const limits = { maxResolutionInMP: MAX_PIXELS / 1e6, maxMemoryUsageInMB: MAX_JPEG_MEMORY_MB };
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true, tolerantDecoding: false, ...limits });
  return { width, height, rgba: data };
}

import type { PictureFormat } from './picture.ts';

/** What a file says of itself before it is decoded. */
export interface PictureHeader {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads format and size; `undefined` for anything but PNG and JPEG. */
export function readHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length >= 29 && bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return pngHeader(bytes);
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8) return jpegHeader(bytes);
  return undefined;
}

/** The first chunk is IHDR (PNG specification, 11.2.2): width, height, then the interlace method as its 13th byte. */
function pngHeader(bytes: Buffer): PictureHeader {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return { format: 'image/png', width, height, interlaced: bytes[28] !== 0 };
}

/** Walks the segments to the start of frame (ITU T.81, B.2.2), which holds height and width. */
function jpegHeader(bytes: Buffer): PictureHeader | undefined {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (isStartOfFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { format: 'image/jpeg', width, height, interlaced: false };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** C0 to CF, but for the tables DHT (C4), JPG (C8) and DAC (CC). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

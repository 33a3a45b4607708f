/** What the first bytes of an image say about it. */
export interface ImageHeader {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

type Size = readonly [width: number, height: number];
type Reader = (bytes: Buffer) => Size | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
};

/** Reads type and size from the bytes; `undefined` for what is no image of a known type or cut short. */
export function readHeader(bytes: Buffer): ImageHeader | undefined {
  for (const [contentType, read] of Object.entries(READERS)) {
    const [width, height] = attempt(read, bytes) ?? [0, 0];
    if (width > 0 && height > 0) return { contentType, width, height };
  }
  return undefined;
}

/** A read past the end of a cut-off file throws a `RangeError`: then it is not an image. */
function attempt(read: Reader, bytes: Buffer): Size | undefined {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function text(bytes: Buffer, from: number, length: number): string {
  return bytes.toString('latin1', from, from + length);
}

function pngSize(bytes: Buffer): Size | undefined {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 4) !== 'IHDR') return undefined;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

function gifSize(bytes: Buffer): Size | undefined {
  if (!['GIF87a', 'GIF89a'].includes(text(bytes, 0, 6))) return undefined;
  return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
}

/** Walks the segments up to the start of the first frame. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    if (isStartOfFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, without the three markers in between that mean something else. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function webpSize(bytes: Buffer): Size | undefined {
  if (text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 4) !== 'WEBP') return undefined;
  const kind = text(bytes, 12, 4);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (kind !== 'VP8 ') return undefined;
  return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
}

/** What an image says about itself, without being unpacked. */
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

/** As wide as the widest and as high as the highest; `undefined` when there is none. */
function largest(sizes: Iterable<Size>): Size | undefined {
  let [width, height] = [0, 0];
  for (const [wide, high] of sizes) [width, height] = [Math.max(width, wide), Math.max(height, high)];
  return width > 0 ? [width, height] : undefined;
}

function text(bytes: Buffer, from: number, length: number): string {
  return bytes.toString('latin1', from, from + length);
}

function pngSize(bytes: Buffer): Size | undefined {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 4) !== 'IHDR') return undefined;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

function gifSize(bytes: Buffer): Size | undefined {
  return ['GIF87a', 'GIF89a'].includes(text(bytes, 0, 6)) ? largest(gifSizes(bytes)) : undefined;
}

/** Of the screen and of each frame: what unpacks a GIF may make room for a frame that lies outside of its screen. */
function* gifSizes(bytes: Buffer): Generator<Size> {
  yield [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colourTableLength(bytes.readUInt8(10));
  while (bytes[at] === 0x21 || bytes[at] === 0x2c) {
    if (bytes[at] === 0x21) {
      at = afterSubBlocks(bytes, at + 2);
      continue;
    }
    const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
    yield [left + bytes.readUInt16LE(at + 5), top + bytes.readUInt16LE(at + 7)];
    at = afterSubBlocks(bytes, at + 11 + colourTableLength(bytes.readUInt8(at + 9)));
  }
}

function colourTableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function afterSubBlocks(bytes: Buffer, first: number): number {
  let at = first;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at]!;
  return at + 1;
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
  const isWebp = text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP';
  return isWebp ? largest(webpSizes(bytes)) : undefined;
}

/** Of the canvas and of all that is drawn on it. Frames are walked into: they hold chunks of their own. */
function* webpSizes(bytes: Buffer): Generator<Size> {
  for (let at = 12; at + 8 <= bytes.length;) {
    const kind = text(bytes, at, 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = at + 8;
    const size = webpChunkSize(bytes, kind, data);
    if (size) yield size;
    at = data + (kind === 'ANMF' ? 16 : length + (length % 2));
  }
}

function webpChunkSize(bytes: Buffer, kind: string, data: number): Size | undefined {
  if (kind === 'VP8X') return [bytes.readUIntLE(data + 4, 3) + 1, bytes.readUIntLE(data + 7, 3) + 1];
  if (kind === 'ANMF') return [bytes.readUIntLE(data + 6, 3) + 1, bytes.readUIntLE(data + 9, 3) + 1];
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(data + 1);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (kind !== 'VP8 ') return undefined;
  return [bytes.readUInt16LE(data + 6) & 0x3fff, bytes.readUInt16LE(data + 8) & 0x3fff];
}

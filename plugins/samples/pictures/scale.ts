import type { Picture } from './picture.ts';

/** Scales a picture down until its longer side fits, each new pixel being the mean of those it covers. */
export function fitted(picture: Picture, maxSide: number): Picture {
  const factor = Math.max(picture.width, picture.height) / maxSide;
  if (factor <= 1) return picture;
  const width = Math.max(1, Math.round(picture.width / factor));
  const height = Math.max(1, Math.round(picture.height / factor));
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = covered(y, height, picture.height);
    for (let x = 0; x < width; x++) {
      writeMean(picture, rows, covered(x, width, picture.width), rgba, (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

type Span = readonly [from: number, until: number];

/** The old pixels under a new one, along one side. */
function covered(place: number, newSize: number, oldSize: number): Span {
  const from = Math.floor((place * oldSize) / newSize);
  return [from, Math.max(from + 1, Math.floor(((place + 1) * oldSize) / newSize))];
}

function writeMean({ width, rgba }: Picture, rows: Span, columns: Span, into: Uint8Array, at: number): void {
  const sums = [0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y++) {
    for (let from = (y * width + columns[0]) * 4; from < (y * width + columns[1]) * 4; from++) {
      sums[from & 3]! += rgba[from]!;
    }
  }
  const pixels = (rows[1] - rows[0]) * (columns[1] - columns[0]);
  for (let channel = 0; channel < 4; channel++) into[at + channel] = Math.round(sums[channel]! / pixels);
}

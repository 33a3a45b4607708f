import type { Plane } from '../../pictures/picture.ts';
import { clipped, equalisingCurve, histogramOf, type Curve } from './tile-curves.ts';

/** A grid of tiles, each with the curve that suits it. */
interface Tiling {
  readonly columns: number;
  readonly rows: number;
  readonly curves: readonly Curve[];
}

/** New brightness for each pixel: between the centres of tiles their curves are blended, so that no seams show. */
export function equalised(plane: Plane, tiles: number, clipLimit: number): Float32Array {
  const { width, height, values } = plane;
  const tiling = tilingOf(plane, Math.min(tiles, width), Math.min(tiles, height), clipLimit);
  const result = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = position(y, height, tiling.rows);
    for (let x = 0; x < width; x++) {
      const level = Math.round(values[y * width + x]!);
      result[y * width + x] = blended(tiling, position(x, width, tiling.columns), row, level);
    }
  }
  return result;
}

function tilingOf(plane: Plane, columns: number, rows: number, clipLimit: number): Tiling {
  const curves = Array.from({ length: columns * rows }, (_, tile) => {
    const levels = levelsIn(plane, tile % columns, Math.floor(tile / columns), columns, rows);
    return equalisingCurve(clipped(histogramOf(levels), clipLimit));
  });
  return { columns, rows, curves };
}

function* levelsIn(
  { width, height, values }: Plane,
  column: number,
  row: number,
  columns: number,
  rows: number,
) {
  const [left, right] = [
    Math.floor((column * width) / columns),
    Math.floor(((column + 1) * width) / columns),
  ];
  const [top, bottom] = [Math.floor((row * height) / rows), Math.floor(((row + 1) * height) / rows)];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) yield Math.round(values[y * width + x]!);
  }
}

/** The tiles before and after a place along one side, and how far it is from the first to the second. */
interface Position {
  readonly before: number;
  readonly after: number;
  readonly share: number;
}

function position(place: number, size: number, tiles: number): Position {
  const at = ((place + 0.5) * tiles) / size - 0.5;
  const before = Math.max(0, Math.floor(at));
  return { before, after: Math.min(tiles - 1, before + 1), share: Math.max(0, at - before) };
}

function blended({ columns, curves }: Tiling, column: Position, row: Position, level: number): number {
  const at = (r: number, c: number) => curves[r * columns + c]![level]!;
  const above =
    at(row.before, column.before) * (1 - column.share) + at(row.before, column.after) * column.share;
  const below =
    at(row.after, column.before) * (1 - column.share) + at(row.after, column.after) * column.share;
  return above * (1 - row.share) + below * row.share;
}

import { isObject } from '../playground/fields.ts';

/** A rectangle with a label, in fractions of the picture. */
export interface Box {
  readonly label: string;
  readonly score: number | undefined;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Corners = readonly [left: number, top: number, right: number, bottom: number];

export interface BoxesView {
  readonly kind: 'boxes';
  /** The member that holds the box; without it the row itself has the coordinates. */
  readonly box?: string;
  /** What four numbers in a list mean; guessed where it is absent. */
  readonly format?: 'xyxy' | 'xywh';
  readonly label?: string;
  readonly score?: string;
  /** The field of the input that has the picture; the first picture where it is absent. */
  readonly image?: string;
}

type Row = Record<string, unknown>;

const NAMED: readonly (readonly [names: readonly string[], isSize: boolean])[] = [
  [['x', 'y', 'width', 'height'], true],
  [['x', 'y', 'w', 'h'], true],
  [['left', 'top', 'width', 'height'], true],
  [['left', 'top', 'right', 'bottom'], false],
  [['x1', 'y1', 'x2', 'y2'], false],
  [['xmin', 'ymin', 'xmax', 'ymax'], false],
  [['x_min', 'y_min', 'x_max', 'y_max'], false],
];

/** The view of detections under the names that are in use; `undefined` where the rows have no boxes. */
export function boxesIn(row: Row): BoxesView | undefined {
  const box = ['box', 'bbox', 'bounding_box', 'rect'].find((name) => cornersOf(row[name], 'xyxy'));
  if (box === undefined && !cornersOf(row, undefined)) return undefined;
  const label = ['label', 'name', 'class', 'category'].find((name) => name in row);
  const score = ['score', 'confidence', 'probability'].find((name) => typeof row[name] === 'number');
  return { kind: 'boxes', ...(box && { box }), ...(label && { label }), ...(score && { score }) };
}

/** The boxes of rows on a picture of a size in pixels; coordinates up to 1 are fractions of it. */
export function boxesOf(
  rows: readonly Row[],
  view: BoxesView,
  picture: { readonly width: number; readonly height: number },
): readonly (Box | undefined)[] {
  const values = rows.map((row) => (view.box === undefined ? row : row[view.box]));
  const format = view.format ?? formatOf(values, picture);
  const corners = values.map((value) => cornersOf(value, format));
  const isRelative = corners.every((each) => !each || each.every((edge) => edge >= 0 && edge <= 1));
  const [width, height] = isRelative ? [1, 1] : [picture.width, picture.height];
  return corners.map((each, i) => {
    if (!each) return undefined;
    const [left, right] = [each[0] / width, each[2] / width].map(within) as [number, number];
    const [top, bottom] = [each[1] / height, each[3] / height].map(within) as [number, number];
    const row = rows[i]!;
    const score = view.score === undefined ? undefined : row[view.score];
    return {
      label: labelOf(view.label === undefined ? undefined : row[view.label]),
      score: typeof score === 'number' ? score : undefined,
      left,
      top,
      width: Math.max(0, right - left),
      height: Math.max(0, bottom - top),
    };
  });
}

function labelOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const within = (fraction: number): number => Math.min(1, Math.max(0, fraction));

/** Four numbers are two corners, unless a second corner would lie before the first. */
function formatOf(values: readonly unknown[], { width, height }: { width: number; height: number }) {
  const lists = values.filter((value): value is number[] => Array.isArray(value));
  const areSizes = lists.some(([x = 0, y = 0, x2 = 0, y2 = 0]) => x2 < x || y2 < y);
  const fit = lists.every(([x = 0, y = 0, w = 0, h = 0]) => x + w <= width && y + h <= height);
  return areSizes && fit ? 'xywh' : 'xyxy';
}

function cornersOf(value: unknown, format: BoxesView['format']): Corners | undefined {
  if (Array.isArray(value)) {
    const [a, b, c, d] = value as number[];
    if (value.length !== 4 || !value.every((each) => typeof each === 'number')) return undefined;
    return format === 'xywh' ? [a!, b!, a! + c!, b! + d!] : [a!, b!, c!, d!];
  }
  if (!isObject(value)) return undefined;
  const found = NAMED.find(([names]) => names.every((name) => typeof value[name] === 'number'));
  if (!found) return undefined;
  const [a, b, c, d] = found[0].map((name) => value[name] as number);
  return found[1] ? [a!, b!, a! + c!, b! + d!] : [a!, b!, c!, d!];
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where the labels of boxes go, in pixels: above the box, inside at its top, below it, or at its right end, wherever none
 * lies yet. A label that fits nowhere is `undefined`; the list beside the picture has it.
 */
export function placeLabels(
  boxes: readonly Rectangle[],
  sizes: readonly { readonly width: number; readonly height: number }[],
  bounds: { readonly width: number; readonly height: number },
): readonly (Rectangle | undefined)[] {
  const placed: Rectangle[] = [];
  return boxes.map((box, i) => {
    const size = sizes[i]!;
    const right = box.x + box.width - size.width;
    const below = box.y + box.height;
    const spot = [
      [box.x, box.y - size.height],
      [right, box.y - size.height],
      [box.x, box.y],
      [right, box.y],
      [box.x, below],
      [right, below],
      [box.x, below - size.height],
    ]
      .map(([x, y]) => ({ ...size, x: Math.max(0, Math.min(x!, bounds.width - size.width)), y: y! }))
      .find(
        (each) =>
          each.y >= 0 &&
          each.y + each.height <= bounds.height &&
          !placed.some((other) => doOverlap(each, other)),
      );
    if (spot) placed.push(spot);
    return spot;
  });
}

function doOverlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

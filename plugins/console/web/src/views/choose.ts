import { isObject } from '../playground/fields.ts';
import { boxesIn, type BoxesView } from './boxes.ts';
import { isPicture, isReadable, readFile, type AnsweredFile } from './files.ts';
import { gridOf, isNumeric, isPlain, VALUE, type Grid } from './grid.ts';

export interface SeriesView {
  readonly kind: 'series';
  /** The rows are counted where it is absent. */
  readonly x?: string;
  readonly lines: readonly string[];
  readonly band?: readonly [string, string];
  readonly mark?: string;
}

export interface PointsView {
  readonly kind: 'points';
  readonly x: string;
  readonly y: string;
  readonly label?: string;
  readonly group?: string;
  readonly path?: 'open' | 'closed';
}

export interface ScoresView {
  readonly kind: 'scores';
  readonly label: string;
  readonly score: string;
}

export interface PaletteView {
  readonly kind: 'palette';
  readonly colour: string;
  readonly share: string;
}

interface FileView {
  readonly kind: 'image' | 'page' | 'markdown' | 'source' | 'audio' | 'video' | 'file';
  readonly file: AnsweredFile;
}

/** How a part of an output is shown. */
export type View =
  | { readonly kind: 'text' | 'table' | 'scalar' | 'list' | 'facts' | 'group' }
  | FileView
  | ScoresView
  | PaletteView
  | SeriesView
  | PointsView
  | BoxesView;

const LONGEST_SCALAR = 80;
const LONGEST_LIST = 40;
const MOST_MEMBERS = 100;
/** Fewer numbers are read faster than drawn. */
const SHORTEST_SERIES = 8;
const MOST_LINES = 8;

/** Media types that `x-view` gives a text. */
const MARKUP: Readonly<Record<string, string>> = {
  markdown: 'text/markdown',
  html: 'text/html',
  svg: 'image/svg+xml',
};

/**
 * The views that fit a part of an output, the best one first: what the schema asks for by `x-view`, where the value fits
 * it, and then what the value looks like. Empty where only the tree fits.
 */
export function viewsFor(value: unknown, schema: unknown, hasPicture: boolean): readonly View[] {
  const wanted = isObject(schema) ? schema['x-view'] : undefined;
  const markup = isObject(wanted) && typeof value === 'string' ? MARKUP[String(wanted['kind'])] : undefined;
  const file = markup
    ? { type: markup, name: undefined, content: { text: value as string } }
    : readFile(value, schema);
  if (file) return viewsOfFile(file);
  const looks = viewsByLook(value, hasPicture);
  if (!isObject(wanted) || !doesFit(wanted, value, hasPicture)) return looks;
  const first = wanted as unknown as View;
  return [first, ...looks.filter(({ kind }) => kind !== first.kind)];
}

function viewsOfFile(file: AnsweredFile): readonly View[] {
  const { type } = file;
  if (type === 'image/svg+xml')
    return [
      { kind: 'image', file },
      { kind: 'source', file },
    ];
  if (isPicture(type)) return [{ kind: 'image', file }];
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    return [
      { kind: 'page', file },
      { kind: 'source', file },
    ];
  }
  if (type === 'text/markdown')
    return [
      { kind: 'markdown', file },
      { kind: 'source', file },
    ];
  if (isReadable(type)) return [{ kind: 'source', file }];
  const family = type.split('/')[0];
  return [{ kind: family === 'audio' || family === 'video' ? family : 'file', file }];
}

function viewsByLook(value: unknown, hasPicture: boolean): readonly View[] {
  if (typeof value === 'string') return [{ kind: value.length > LONGEST_SCALAR ? 'text' : 'scalar' }];
  if (isPlain(value)) return [{ kind: 'scalar' }];
  if (Array.isArray(value)) return viewsOfList(value, gridOf(value), hasPicture);
  const count = Object.keys(value as object).length;
  if (count === 0 || count > MOST_MEMBERS) return [];
  const grid = gridOf(value);
  if (grid) return [...seriesIn(grid), { kind: 'table' }];
  const members = Object.values(value as object);
  return [{ kind: members.every(isPlain) ? 'facts' : 'group' }];
}

function viewsOfList(
  value: readonly unknown[],
  grid: Grid | undefined,
  hasPicture: boolean,
): readonly View[] {
  if (!grid) return value.length === 0 ? [{ kind: 'list' }] : [];
  if (grid.columns.length === 1 && grid.columns[0] === VALUE && isPlain(value[0])) {
    return value.length > LONGEST_LIST
      ? [...seriesIn(grid), { kind: 'table' }]
      : [{ kind: 'list' }, ...seriesIn(grid)];
  }
  const table: View = { kind: 'table' };
  const row = value[0];
  if (!isObject(row)) return [table];
  const boxes = hasPicture ? boxesIn(row) : undefined;
  const scores = scoresIn(row);
  const drawn = [boxes, scores].filter((view) => view !== undefined);
  const isOverTime = drawn.length === 0 && isTime(grid.cell(0, grid.columns[0]!));
  return isOverTime
    ? [...seriesIn(grid), table]
    : [...drawn, table, ...(drawn.length > 0 ? [] : seriesIn(grid))];
}

/** Classifiers answer `[{label, score}]` under many names. */
function scoresIn(row: Record<string, unknown>): ScoresView | undefined {
  const label = ['label', 'name', 'class', 'category'].find((name) => typeof row[name] === 'string');
  const score = ['score', 'confidence', 'probability'].find((name) => typeof row[name] === 'number');
  return label && score && Object.keys(row).length <= 4 ? { kind: 'scores', label, score } : undefined;
}

/** The numeric columns over the one that counts or tells the time. */
function seriesIn(grid: Grid): readonly SeriesView[] {
  if (grid.count < SHORTEST_SERIES) return [];
  const numeric = grid.columns.filter((column) => isNumeric(grid, column));
  const x = grid.columns.find(
    (column) =>
      isTime(grid.cell(0, column)) ||
      (numeric.includes(column) && /^(x|t|time|step|index|epoch|year|day)$/i.test(column)),
  );
  const lines = numeric.filter((column) => column !== x);
  if (lines.length === 0 || lines.length > MOST_LINES) return [];
  return [{ kind: 'series', ...(x !== undefined && { x }), lines }];
}

/** Whether a value is a moment or a day in ISO 8601. */
export function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d(-\d\d([T ]|$)|$)/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** What each view of rows must be told, as names of columns. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  table: [],
  boxes: [],
  scores: ['label', 'score'],
  palette: ['colour', 'share'],
  points: ['x', 'y'],
  series: ['lines'],
};
const COLUMNS = ['x', 'y', 'label', 'score', 'colour', 'share', 'group', 'mark', 'box', 'lines', 'band'];

function doesFit(view: Record<string, unknown>, value: unknown, hasPicture: boolean): boolean {
  const kind = String(view['kind']);
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'boxes' && !hasPicture) return false;
  const required = Object.hasOwn(REQUIRED, kind) ? REQUIRED[kind] : undefined;
  const grid = gridOf(value);
  if (!required || !grid) return false;
  const named = COLUMNS.filter((option) => view[option] !== undefined);
  const { lines, band } = view;
  const areLists = [lines, band].every(
    (list) => list === undefined || (Array.isArray(list) && list.length > 0),
  );
  return (
    areLists &&
    required.every((option) => named.includes(option)) &&
    named
      .flatMap((option) => view[option])
      .every((name) => typeof name === 'string' && grid.columns.includes(name))
  );
}

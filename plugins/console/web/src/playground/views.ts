import { isObject } from './fields.ts';
import { answeredPicture } from './pictures.ts';

export type SeriesView = {
  readonly kind: 'series';
  readonly x: string;
  readonly lines: readonly string[];
  readonly band?: readonly [string, string];
  readonly mark?: string;
};

export type PointsView = {
  readonly kind: 'points';
  readonly x: string;
  readonly y: string;
  readonly label?: string;
  readonly group?: string;
  readonly path?: 'open' | 'closed';
};

/** How a part of an output is shown. */
export type View =
  | { readonly kind: 'image' | 'text' | 'table' | 'scalar' | 'list' | 'facts' }
  | { readonly kind: 'scores'; readonly label: string; readonly score: string }
  | { readonly kind: 'palette'; readonly colour: string; readonly share: string }
  | SeriesView
  | PointsView;

/** The view that the schema asks for where the value fits it, and else the one that the value looks like. */
export function chooseView(value: unknown, wanted: unknown): View | undefined {
  if (isObject(wanted) && fits(wanted as View, value)) return wanted as View;
  if (value === null || ['number', 'boolean'].includes(typeof value)) return { kind: 'scalar' };
  if (typeof value === 'string') return { kind: value.length > 80 ? 'text' : 'scalar' };
  if (answeredPicture(value)) return { kind: 'image' };
  if (Array.isArray(value)) return viewOfList(value);
  if (isObject(value) && Object.values(value).every((each) => typeof each !== 'object'))
    return { kind: 'facts' };
  return undefined;
}

function viewOfList(value: readonly unknown[]): View | undefined {
  if (value.length === 0) return { kind: 'list' };
  if (value.every(isObject)) return scoresIn(value[0]!) ?? { kind: 'table' };
  return value.every((each) => typeof each !== 'object') ? { kind: 'list' } : undefined;
}

/** Classifiers answer `[{label, score}]` under many names. */
function scoresIn(row: Record<string, unknown>): View | undefined {
  const label = ['label', 'name', 'class', 'category'].find((name) => typeof row[name] === 'string');
  const score = ['score', 'confidence', 'probability'].find((name) => typeof row[name] === 'number');
  return label && score && Object.keys(row).length <= 4 ? { kind: 'scores', label, score } : undefined;
}

function fits(view: View, value: unknown): boolean {
  if (view.kind === 'image') return answeredPicture(value) !== undefined;
  if (view.kind === 'text') return typeof value === 'string';
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return false;
  const has = (name: unknown): boolean => typeof name === 'string' && name in (value[0] as object);
  switch (view.kind) {
    case 'table':
      return true;
    case 'scores':
      return has(view.label) && has(view.score);
    case 'palette':
      return has(view.colour) && has(view.share);
    case 'series':
      return has(view.x) && Array.isArray(view.lines) && view.lines.every(has);
    case 'points':
      return has(view.x) && has(view.y);
    case 'facts':
    case 'list':
    case 'scalar':
      return false;
  }
}

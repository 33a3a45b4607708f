import { isObject } from '../playground/fields.ts';

/** Rows and columns of a value, read where they are: a list may have a million rows. */
export interface Grid {
  readonly columns: readonly string[];
  readonly count: number;
  cell(row: number, column: string): unknown;
}

/** The column of a plain list. */
export const VALUE = 'value';

/** Rows in which columns are looked for, and columns that are shown. */
const LOOKED_AT = 1_000;
const MOST_COLUMNS = 60;

type Row = Record<string, unknown>;

/** A list of objects, of lists or of plain values, or an object of lists of one length, as a table; otherwise `undefined`. */
export function gridOf(value: unknown): Grid | undefined {
  if (Array.isArray(value)) return ofList(value);
  return isObject(value) ? ofColumns(value) : undefined;
}

function ofList(list: readonly unknown[]): Grid | undefined {
  if (list.length === 0) return undefined;
  const first = list.slice(0, LOOKED_AT);
  if (list.every(isObject)) {
    const columns = [...new Set(first.flatMap((row) => Object.keys(row as Row)))].slice(0, MOST_COLUMNS);
    return { columns, count: list.length, cell: (row, column) => own(list[row] as Row, column) };
  }
  if (list.every(Array.isArray)) {
    const width = Math.min(MOST_COLUMNS, Math.max(...first.map((row) => (row as unknown[]).length)));
    const columns = Array.from({ length: width }, (_, i) => String(i + 1));
    return {
      columns,
      count: list.length,
      cell: (row, column) => (list[row] as unknown[])[Number(column) - 1],
    };
  }
  if (!list.every(isPlain)) return undefined;
  return { columns: [VALUE], count: list.length, cell: (row) => list[row] };
}

function ofColumns(value: Row): Grid | undefined {
  const columns = Object.keys(value);
  if (columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
  const lists = Object.values(value);
  const count = Array.isArray(lists[0]) ? lists[0].length : 0;
  const isTable = lists.every((list) => Array.isArray(list) && list.length === count && list.every(isPlain));
  if (count < 2 || !isTable) return undefined;
  return { columns, count, cell: (row, column) => (value[column] as unknown[])[row] };
}

/** Not what every object inherits: a column may be called `constructor`. */
function own(row: Row, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

export function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether a column holds numbers, and nothing else but gaps, as far as one looks. */
export function isNumeric(grid: Grid, column: string): boolean {
  let numbers = 0;
  for (let row = 0; row < Math.min(grid.count, LOOKED_AT); row += 1) {
    const value = grid.cell(row, column);
    if (typeof value === 'number') numbers += 1;
    else if (value !== null && value !== undefined) return false;
  }
  return numbers > 0;
}

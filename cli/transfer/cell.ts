/** The kind of a column, the same on both engines; a kind that only one of them has is `text`. */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'real'
  /** A `real` of four bytes on PostgreSQL. */
  | 'single'
  | 'boolean'
  | 'json'
  | 'blob'
  | 'time';

/** A value in a form that both engines share. Integers that a number cannot hold are `bigint`; times are milliseconds since 1970, or text. */
export type Cell = null | string | number | bigint | boolean | Buffer;
export type Row = readonly Cell[];

/** An integer as a number where it is exact. */
export function integerCell(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** A boolean of an engine that stores 0 and 1. */
export function booleanCell(value: Cell): Cell {
  return value === 0 || value === 1 ? value === 1 : value;
}

/**
 * The form in which values are compared: equal for two values that mean the same, whichever engine stores them. JSON is
 * compared without regard to the order of names.
 */
export function canonical(value: Cell, kind: ColumnKind): null | string | number | boolean {
  if (value === null) return null;
  switch (kind) {
    case 'text':
      return Buffer.isBuffer(value) ? value.toString('base64') : String(value);
    case 'blob':
      return Buffer.from(Buffer.isBuffer(value) ? value : String(value)).toString('base64');
    case 'integer':
      return typeof value === 'boolean' ? String(Number(value)) : String(value);
    case 'boolean':
      return booleanCell(value) === true ? true : booleanCell(value) === false ? false : String(value);
    case 'real':
      return finite(Number(value));
    case 'single':
      return finite(Math.fround(Number(value)));
    case 'json':
      return canonicalJson(String(value));
    case 'time':
      return canonicalTime(value);
  }
}

function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function canonicalJson(text: string): string {
  try {
    return JSON.stringify(ordered(JSON.parse(text)));
  } catch {
    return text;
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** SQLite stores what `CURRENT_TIMESTAMP` gives as text without a zone, which is UTC. */
function canonicalTime(value: Exclude<Cell, null>): string {
  if (typeof value === 'number') return new Date(value).toISOString();
  const text = String(value);
  const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text) ? text.replace(/\+00$/, 'Z') : `${text}Z`;
  const milliseconds = Date.parse(zoned.replace(' ', 'T'));
  if (Number.isNaN(milliseconds)) return text;
  const [, micros = ''] = /\.\d{3}(\d*)/.exec(text) ?? [];
  return new Date(milliseconds).toISOString().replace('Z', `${micros.replace(/0+$/, '')}Z`);
}

/** A value in JSON; what JSON has no form for is an object with one name. */
export function toJson(value: Cell): unknown {
  if (typeof value === 'bigint') return { i: String(value) };
  if (Buffer.isBuffer(value)) return { b: value.toString('base64') };
  if (typeof value === 'number' && !Number.isFinite(value)) return { f: String(value) };
  return value;
}

/** The value that `toJson` wrote. */
export function fromJson(value: unknown): Cell {
  if (typeof value !== 'object' || value === null) return value as Cell;
  const { i, b, f } = value as { i?: string; b?: string; f?: string };
  if (i !== undefined) return BigInt(i);
  return b === undefined ? Number(f) : Buffer.from(b, 'base64');
}

/** About how many bytes a row takes. */
export function sizeOf(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
  return bytes;
}

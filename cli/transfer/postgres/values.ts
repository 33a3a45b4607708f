import { integerCell, type Cell, type ColumnKind } from '../cell.ts';

/** The value of a text that PostgreSQL wrote. */
export function cellOf(text: string | null, kind: ColumnKind): Cell {
  if (text === null) return null;
  switch (kind) {
    case 'integer':
      return integerCell(BigInt(text));
    case 'boolean':
      return text === 't';
    case 'real':
    case 'single':
      return numberOf(text);
    case 'blob':
      return Buffer.from(text.slice(2), 'hex');
    case 'time':
      return timeOf(text);
    case 'json':
    case 'text':
      return text;
  }
}

/** The text of a value that PostgreSQL reads as the type of the column. */
export function textOf(value: Cell, kind: ColumnKind): string | null {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return kind === 'blob' ? `\\x${value.toString('hex')}` : value.toString('utf8');
  if (kind === 'blob') return `\\x${Buffer.from(String(value)).toString('hex')}`;
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString();
  return String(value);
}

/** `numeric` may have more digits than a number. */
function numberOf(text: string): Cell {
  const number = Number(text);
  return String(number) === text || !/^-?\d+(\.\d+)?$/.test(text) ? number : text;
}

/** Milliseconds where that is exact; otherwise the text, with microseconds. */
function timeOf(text: string): Cell {
  const isExact = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?(\+00)?$/.test(text);
  return isExact ? Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`) : text;
}

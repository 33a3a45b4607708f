import { Readable } from 'node:stream';
import Type from 'typebox';
import { replyBytes, type Reply } from './routing/route.ts';

/** How an export is written. */
export type ExportFormat = 'csv' | 'ndjson';

/** The query value with the format of an export. */
export const ExportFormat = Type.Unsafe<ExportFormat>(
  Type.Enum(['csv', 'ndjson'], {
    default: 'csv',
    description: 'A table, or a record in JSON on each line.',
  }),
);

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** Records to download. */
export interface Exported {
  readonly format: ExportFormat;
  /** The name of the file, without its extension. */
  readonly name: string;
  /** The fields that are columns of the table; objects are written as JSON. */
  readonly columns: readonly string[];
  /** The records as JSON texts, some at a time; read as fast as the client takes them. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** Answers records as a file, in one stream that ends when the client goes away. */
export function exportReply({ format, name, columns, pages }: Exported): Reply<never> {
  const text = format === 'csv' ? table(columns, pages) : lines(pages);
  return replyBytes(Readable.from(text), {
    headers: {
      'Content-Type': CONTENT_TYPES[format],
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
    },
  });
}

async function* table(columns: readonly string[], pages: Exported['pages']): AsyncGenerator<string> {
  // With a byte order mark, spreadsheets read it as UTF-8.
  yield `\uFEFF${csvLine(columns)}`;
  for await (const page of pages) yield page.map((record) => rowOf(record, columns)).join('');
}

async function* lines(pages: Exported['pages']): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((record) => `${record}\n`).join('');
}

function rowOf(record: string, columns: readonly string[]): string {
  const values = JSON.parse(record) as Readonly<Record<string, string | number | object | null>>;
  return csvLine(
    columns.map((column) => {
      const value = values[column] ?? null;
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    }),
  );
}

/** A line of CSV (RFC 4180); null is an empty cell. */
function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** How formulas begin, in full width too; tabs and returns may stand before them. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u;

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // An apostrophe keeps a spreadsheet from running what a caller or an endpoint wrote.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|^'|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

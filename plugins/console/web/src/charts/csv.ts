/** What a cell of a file holds. */
export type CsvCell = string | number | null;

/** A table as CSV, as spreadsheets read it. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  // With a byte order mark it is read as UTF-8.
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(value: CsvCell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // A spreadsheet would take such a text for a formula.
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

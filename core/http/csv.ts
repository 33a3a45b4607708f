/** A line of CSV (RFC 4180); null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
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

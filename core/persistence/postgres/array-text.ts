import type { SqlValue } from '../database.ts';

/** Needs no quotes: nothing that means something in the text of an array, and neither empty nor the word NULL. */
const PLAIN = /^(?!null$)[\w.:-]+$/i;
const SPECIAL = /["\\]/g;
/** What JSON writes as an escape that means something else in an array. */
const ESCAPED_OTHERWISE = /[\u0000-\u001f\ud800-\udfff]/;

/**
 * The values as the text of a PostgreSQL array (its manual, "Array Input and Output Syntax"). The driver's own quotes
 * each value on its own, which at half load made a sixth of all that a call allocates.
 */
export function arrayText(values: readonly SqlValue[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

/** Numbers by way of JSON: V8 remembers the texts of numbers otherwise, and few of a record come again. */
function elementText(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return JSON.stringify(value);
  if (PLAIN.test(value)) return value;
  // Both put a backslash before quotes and backslashes; JSON in half of the time.
  if (!ESCAPED_OTHERWISE.test(value)) return JSON.stringify(value);
  return `"${value.replace(SPECIAL, '\\$&')}"`;
}

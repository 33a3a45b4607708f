import { insertInto, onConflict } from '../batch-sql.ts';
import type { BatchInsert, ColumnType, SqlValue } from '../database.ts';

const TYPES: Record<ColumnType, string> = {
  text: 'text',
  integer: 'int8',
  real: 'float8',
  boolean: 'bool',
};

/** A statement that inserts any number of rows with one array per column, so that its text is always the same. */
export function insertOfArrays(insert: BatchInsert): {
  readonly text: string;
  readonly values: SqlValue[][];
} {
  const arrays = Object.values(insert.columns).map((type, index) => `$${index + 1}::${TYPES[type]}[]`);
  const rows = inKeyOrder(insert);
  return {
    text: `${insertInto(insert)} SELECT * FROM unnest(${arrays.join(', ')})${onConflict(insert)}`,
    values: arrays.map((_, column) => rows.map((row) => row[column]!)),
  };
}

/** Two writers that lock the same rows in the same order cannot wait for each other in a circle. */
function inKeyOrder({ rows, columns, onConflict: rule }: BatchInsert): BatchInsert['rows'] {
  if (!rule || rows.length < 2) return rows;
  const names = Object.keys(columns);
  const places = rule.key.map((name) => names.indexOf(name));
  return Array.from(rows).sort((one, other) => {
    for (const place of places) {
      const [a, b] = [one[place]!, other[place]!];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  });
}

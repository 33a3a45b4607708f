import { insertInto, onConflict } from '../batch-sql.ts';
import type { BatchInsert, ColumnType, SqlValue } from '../database.ts';

const TYPES: Record<ColumnType, string> = {
  text: 'text',
  integer: 'int8',
  real: 'float8',
  boolean: 'bool',
};

/** A statement that inserts rows from one array per column, so that its text does not depend on their number. */
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

/** Sorts the rows by their conflict key, so that concurrent writers cannot deadlock. */
function inKeyOrder({ rows, columns, onConflict: rule }: BatchInsert): BatchInsert['rows'] {
  if (!rule || rows.length < 2) return rows;
  const names = Object.keys(columns);
  const indexes = rule.key.map((name) => names.indexOf(name));
  return Array.from(rows).sort((one, other) => {
    for (const index of indexes) {
      const [a, b] = [one[index]!, other[index]!];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  });
}

import { InputRejected } from '../input-rejected.ts';

/** A checked table: every row has a value for every name. */
export interface Table {
  readonly rows: number[][];
  readonly names: readonly string[];
}

/** Checks what a schema cannot say: that rows have the same length, and that there is a name for each column. */
export function tableOf(rows: number[][], names: readonly string[] | undefined): Table {
  const columns = rows[0]!.length;
  const odd = rows.findIndex((row) => row.length !== columns);
  if (odd >= 0) {
    throw new InputRejected(
      `Row ${odd + 1} has ${rows[odd]!.length} values, but row 1 has ${columns}. Give all the same number.`,
    );
  }
  if (names && names.length !== columns) {
    throw new InputRejected(
      `There are ${names.length} column names for ${columns} columns. Name each column, or none.`,
    );
  }
  return { rows, names: names ?? Array.from({ length: columns }, (_, i) => `x${i + 1}`) };
}

/** The values of one column. */
export function columnOf({ rows }: Table, column: number): number[] {
  return rows.map((row) => row[column]!);
}

/** Checks that a list goes with the rows of a table. */
export function expectOneForEachRow(list: readonly unknown[], { rows }: Table, called: string): void {
  if (list.length === rows.length) return;
  throw new InputRejected(
    `There are ${list.length} ${called} for ${rows.length} rows. Give one for each row.`,
  );
}

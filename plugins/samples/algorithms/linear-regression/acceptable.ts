import { InputRejected } from '../../input-rejected.ts';
import { isConstant } from '../../statistics/moments.ts';
import { columnOf, expectOneForEachRow, tableOf, type Table } from '../../statistics/table.ts';
import { DependentColumns } from './least-squares.ts';
import { fitted, type Fit } from './fit.ts';

interface Input {
  readonly rows: number[][];
  readonly y: readonly number[];
  readonly names?: readonly string[];
}

/** Refuses, in words, data that no line can be fitted to. */
export function acceptableTable({ rows, y, names }: Input, intercept: boolean): Table {
  const table = tableOf(rows, names);
  expectOneForEachRow(y, table, 'observed values');
  const unknowns = table.names.length + (intercept ? 1 : 0);
  if (rows.length <= unknowns) {
    throw new InputRejected(
      `${rows.length} rows cannot judge ${unknowns} coefficients. Send more rows or fewer columns.`,
    );
  }
  if (isConstant(y))
    throw new InputRejected('All observed values are the same, so there is nothing to explain.');
  if (intercept) refuseConstantColumns(table);
  return table;
}

function refuseConstantColumns(table: Table): void {
  const constant = table.names.find((_, column) => isConstant(columnOf(table, column)));
  if (constant === undefined) return;
  throw new InputRejected(
    `The column "${constant}" is the same in every row, which the intercept stands for. Leave it out.`,
  );
}

/** Fits, and names the columns when some of them depend on others. */
export function fitOrReject({ rows, names }: Table, y: readonly number[], intercept: boolean): Fit {
  try {
    return fitted(rows, y, intercept);
  } catch (error) {
    if (!(error instanceof DependentColumns)) throw error;
    const called = error.columns.map((column) => `"${names[column]}"`).join(', ');
    throw new InputRejected(`The columns ${called} depend on each other linearly. Leave one of them out.`, {
      cause: error,
    });
  }
}

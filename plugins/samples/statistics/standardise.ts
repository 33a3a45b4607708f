import { columnOf, type Table } from './table.ts';
import { deviation, isConstant, mean } from './moments.ts';

/** Each column less its mean and, where asked for, divided by its deviation; a constant column becomes 0. */
export function centred(table: Table, { scaled, freedom }: { scaled: boolean; freedom: 0 | 1 }): number[][] {
  const columns = table.names.map((_, column) => columnOf(table, column));
  const means = columns.map(mean);
  const scales = columns.map((values) =>
    isConstant(values) ? 0 : 1 / (scaled ? deviation(values, freedom) : 1),
  );
  return table.rows.map((row) => row.map((value, column) => (value - means[column]!) * scales[column]!));
}

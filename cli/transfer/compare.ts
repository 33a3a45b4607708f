import { StartupError } from '../../core/errors/startup-error.ts';
import type { ColumnKind } from './cell.ts';
import type { RowSource } from './row-source.ts';
import type { StoredTable } from './stored-table.ts';
import { isSame, TableDigest, type TableSum } from './table-digest.ts';
import { counted, type TransferProgress } from './transfer-progress.ts';

/** Counts and hashes the rows of a table as they are stored. */
export async function sumOf(
  source: RowSource,
  table: StoredTable,
  kinds: readonly ColumnKind[],
  progress: TransferProgress,
): Promise<TableSum> {
  const digest = new TableDigest(kinds);
  for await (const rows of counted(source.rows(table), progress)) digest.add(rows);
  return digest.sum();
}

/** What a table should hold, and what it holds. */
export interface Comparison {
  readonly table: string;
  readonly expected: TableSum;
  readonly found: TableSum;
}

export function differing(comparisons: readonly Comparison[]): readonly Comparison[] {
  return comparisons.filter(({ expected, found }) => !isSame(expected, found));
}

/** Throws `StartupError` that names the tables that differ. */
export function refuseDifferences(comparisons: readonly Comparison[], why: string): void {
  const found = differing(comparisons);
  if (found.length === 0) return;
  const lines = found.map(({ table, expected, found }) =>
    expected.rows === found.rows
      ? `${table}: ${found.rows} rows, with other values`
      : `${table}: ${found.rows} rows instead of ${expected.rows}`,
  );
  throw new StartupError([`${found.length} tables differ. ${why}`, ...lines].join('\n'));
}

import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { ledgerTable } from '../../../core/persistence/migrations/ledger.ts';
import { isDamaged } from '../../../core/persistence/sqlite/failures.ts';
import { openFailure } from '../../../core/persistence/sqlite/open-failure.ts';
import { booleanCell, integerCell, sizeOf, type Cell, type Row } from '../cell.ts';
import { BATCH, tableSql, type RowSource } from '../row-source.ts';
import { ownersAmong, selectTables, type AppliedSteps, type StoredTable } from '../stored-table.ts';
import { TRANSFERS } from '../../../core/persistence/migrations/unfinished-transfer.ts';
import { tablesOfFile } from './tables.ts';

/** Reads a SQLite file in one read transaction; a service may write meanwhile, and its log grows until the end. */
export function openSqliteSource(file: string): RowSource {
  if (!existsSync(file)) throw new StartupError(`There is no SQLite file ${file}. Correct the path.`);
  let connection: Sqlite.Database | undefined;
  try {
    connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    connection.defaultSafeIntegers(true);
    connection.exec('BEGIN');
    const tables = tablesOfFile(connection);
    return sourceOn(connection, file, tables);
  } catch (error) {
    connection?.close();
    throw openFailure(file, error, '');
  }
}

function sourceOn(connection: Sqlite.Database, file: string, tables: readonly StoredTable[]): RowSource {
  const { own, foreign } = selectTables(tables);
  const keyOf = (table: StoredTable, sql: string): Row | undefined => {
    const row = connection.prepare(sql).raw(true).get() as SqliteValue[] | undefined;
    const byName = new Map(table.columns.map((column) => [column.name, column.kind]));
    return row?.map((value, index) => cellOf(value, byName.get(table.key[index]!)));
  };
  return {
    engine: 'sqlite',
    description: `SQLite ${file}`,
    tables: own,
    foreign,
    isUnfinished: tables.some(({ name }) => name === TRANSFERS),
    applied: appliedIn(connection, tables),
    count: async (table) => Number(connection.prepare(tableSql(table).count).pluck().get()),
    range: async (table) => {
      if (table.key.length === 0) return undefined;
      const first = keyOf(table, tableSql(table).first);
      const last = keyOf(table, tableSql(table).last);
      return first && last && { first, last };
    },
    rows: async function* (table, after) {
      try {
        yield* batches(connection, table, after);
      } catch (error) {
        throw isDamaged(error) ? openFailure(file, error, '') : error;
      }
    },
    close: async () => void connection.close(),
  };
}

function appliedIn(connection: Sqlite.Database, tables: readonly StoredTable[]): AppliedSteps[] {
  return ownersAmong(tables.map(({ name }) => name)).map((owner) => ({
    owner,
    applied: connection
      .prepare(`SELECT name FROM "${ledgerTable(owner)}" ORDER BY id`)
      .pluck()
      .all() as string[],
  }));
}

type SqliteValue = null | string | number | bigint | Buffer;

async function* batches(
  connection: Sqlite.Database,
  table: StoredTable,
  after: Row | undefined,
): AsyncGenerator<readonly Row[]> {
  const sql = tableSql(table);
  const kinds = table.columns.map(({ kind }) => kind);
  const statement = connection.prepare(after ? sql.rowsAfter : sql.rows).raw(true);
  let batch: Row[] = [];
  let bytes = 0;
  for (const values of statement.iterate(...(after ?? [])) as IterableIterator<SqliteValue[]>) {
    const row = values.map((value, index) => cellOf(value, kinds[index]));
    batch.push(row);
    bytes += sizeOf(row);
    if (batch.length < BATCH.rows && bytes < BATCH.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function cellOf(value: SqliteValue, kind: string | undefined): Cell {
  const cell = typeof value === 'bigint' ? integerCell(value) : value;
  return kind === 'boolean' ? booleanCell(cell) : cell;
}

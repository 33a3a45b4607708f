import type Sqlite from 'better-sqlite3';
import type { ColumnKind } from '../cell.ts';
import type { StoredTable } from '../stored-table.ts';

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** The place in the primary key from 1 on; 0 outside of it. */
  readonly pk: number;
}

/** The tables of a SQLite file; generated columns are left out. */
export function tablesOfFile(connection: Sqlite.Database): StoredTable[] {
  const names = connection
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
  const info = connection.prepare<[string], ColumnInfo>('SELECT name, type, pk FROM pragma_table_info(?)');
  info.safeIntegers(false);
  return names.map((name) => tableOf(name, info.all(name)));
}

function tableOf(name: string, columns: readonly ColumnInfo[]): StoredTable {
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return {
    name,
    columns: columns.map(({ name, type }) => ({ name, kind: kindOf(type.toLowerCase()) })),
    key: key.map((column) => column.name),
  };
}

const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/bool/, 'boolean'],
  [/int/, 'integer'],
  [/real|floa|doub|decimal|numeric/, 'real'],
  [/json/, 'json'],
  [/blob|binary/, 'blob'],
  [/datetime|timestamp/, 'time'],
];

/** SQLite keeps the declared type as it was written. */
function kindOf(type: string): ColumnKind {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'text';
}

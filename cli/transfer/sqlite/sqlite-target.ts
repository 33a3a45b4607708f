import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { quoted } from '../../../core/persistence/batch-sql.ts';
import { prepareConnection } from '../../../core/persistence/sqlite/connection.ts';
import { openFailure } from '../../../core/persistence/sqlite/open-failure.ts';
import type { Cell, ColumnKind } from '../cell.ts';
import { insertFailure, type RowTarget, type TableProgress } from '../row-target.ts';
import { selectTables, type StoredTable } from '../stored-table.ts';
import {
  TRANSFERS,
  TRANSFERS_SQL,
  type Transfer,
} from '../../../core/persistence/migrations/unfinished-transfer.ts';
import { tablesOfFile } from './tables.ts';

const SAVE = `INSERT INTO ${TRANSFERS} (name, state) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state`;

/** Opens a SQLite file to be loaded, or creates it with owner-only rights. */
export function openSqliteTarget(file: string): RowTarget {
  const connection = connect(file);
  const has = (name: string): boolean =>
    connection.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !==
    undefined;
  const state = (name: string): unknown => {
    const text = connection.prepare(`SELECT state FROM ${TRANSFERS} WHERE name = ?`).pluck().get(name);
    return text === undefined ? undefined : JSON.parse(text as string);
  };
  const save = (name: string, value: unknown): void =>
    void connection.prepare(SAVE).run(name, JSON.stringify(value));
  return {
    engine: 'sqlite',
    description: `SQLite ${file}`,
    unfinished: async () => (has(TRANSFERS) ? (state('') as Transfer | undefined) : undefined),
    hasTables: async () => tablesOfFile(connection).length > 0,
    begin: async (transfer) => {
      connection.transaction(() => {
        connection.exec(TRANSFERS_SQL);
        save('', transfer);
      })();
    },
    // Foreign keys are off for this connection, and checked at the end.
    prepare: async () => undefined,
    tables: async () => selectTables(tablesOfFile(connection)).own,
    progress: async ({ name }) => state(name) as TableProgress | undefined,
    clear: async ({ name }) => {
      connection.transaction(() => {
        connection.exec(`DELETE FROM ${quoted(name)}`);
        connection.prepare(`DELETE FROM ${TRANSFERS} WHERE name = ?`).run(name);
      })();
    },
    insert: async (table, rows, progress) => {
      const kinds = table.columns.map(({ kind }) => kind);
      const insert = connection.prepare(insertSql(table));
      try {
        connection.transaction(() => {
          for (const row of rows) insert.run(...row.map((value, index) => sqliteValue(value, kinds[index]!)));
          save(table.name, progress);
        })();
      } catch (error) {
        throw insertFailure(table, progress, error);
      }
    },
    complete: async () => checkForeignKeys(connection),
    finish: async () => void connection.exec(`DROP TABLE ${TRANSFERS}`),
    close: async () => void connection.close(),
  };
}

function connect(file: string): Sqlite.Database {
  let connection: Sqlite.Database | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    connection = new Sqlite(file);
    prepareConnection(connection, 5_000);
    connection.pragma('foreign_keys = OFF');
    return connection;
  } catch (error) {
    connection?.close();
    throw openFailure(file, error, '');
  }
}

function insertSql({ name, columns }: StoredTable): string {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  return `INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/** The driver takes no booleans, and stores every number as a real unless the column makes an integer of it. */
function sqliteValue(value: Cell, kind: ColumnKind): null | string | number | bigint | Buffer {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && kind !== 'real' && kind !== 'single' && Number.isSafeInteger(value)) {
    return BigInt(value);
  }
  return value;
}

function checkForeignKeys(connection: Sqlite.Database): void {
  const broken = connection.pragma('foreign_key_check') as { table: string; parent: string }[];
  if (!broken[0]) return;
  throw new StartupError(
    `${broken.length} rows of ${broken[0].table} lack their row of ${broken[0].parent}.`,
  );
}

import Sqlite from 'better-sqlite3';
import type { BatchInsert } from '../../../core/index.ts';
import type { Answerer } from '../../../core/support/worker-messages.ts';

/** 64 MiB: as long as Vitrine lets the log become. */
const PAGES_BETWEEN_CHECKPOINTS = 16_384;

/** The same writes by better-sqlite3 alone: SQLite copies its log within the commit that fills it. */
export default function plainWriter(file: unknown): Answerer<BatchInsert, void> {
  const connection = new Sqlite(file as string);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
  let statement: Sqlite.Statement | undefined;
  return {
    answer: ({ table, columns, rows }) => {
      const places = Object.keys(columns).fill('?').join(', ');
      const insert = (statement ??= connection.prepare(`INSERT INTO ${table} VALUES (${places})`));
      connection.transaction(() => rows.forEach((row) => insert.run(...row))).immediate();
    },
    end: () => void connection.close(),
  };
}

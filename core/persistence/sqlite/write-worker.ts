/** Runs in a thread of its own, so that waiting for the disk never stops the main loop. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { SqlValue } from '../database.ts';
import { prepareConnection } from './connection.ts';
import { isBroken, sqliteCode } from './failures.ts';
import type { LookOrder, WriteOrder, WriteReport, WriterOptions } from './write-messages.ts';

const { file, busyTimeoutMs } = workerData as WriterOptions;

interface Writer {
  readonly connection: Sqlite.Database;
  readonly statements: Map<string, Sqlite.Statement<SqlValue[]>>;
  /** At the last look. */
  dataVersion?: unknown;
}

let writer: Writer | undefined;

function open(): Writer {
  const connection = new Sqlite(file, { timeout: busyTimeoutMs, fileMustExist: true });
  prepareConnection(connection, busyTimeoutMs);
  return { connection, statements: new Map() };
}

function statementFor({ connection, statements }: Writer, sql: string): Sqlite.Statement<SqlValue[]> {
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = connection.prepare<SqlValue[]>(sql)));
  return statement;
}

function write({ inserts, changes }: WriteOrder): void {
  const at = (writer ??= open());
  at.connection
    .transaction(() => {
      for (const { sql, rows } of inserts) {
        const statement = statementFor(at, sql);
        for (const row of rows) statement.run(...row);
      }
      for (const { sql, values } of changes) statementFor(at, sql).run(...values);
    })
    .immediate();
}

/** SQLite counts for a connection what others commit. A new connection cannot know what went before it. */
function look(): boolean {
  const at = (writer ??= open());
  const before = at.dataVersion;
  at.dataVersion = at.connection.pragma('data_version', { simple: true });
  return at.dataVersion !== before;
}

function attempt(order: WriteOrder | LookOrder): WriteReport {
  const { id } = order;
  try {
    if (!('inserts' in order)) return { id, isChanged: look() };
    write(order);
    return { id };
  } catch (error) {
    if (isBroken(error)) {
      writer?.connection.close();
      writer = undefined;
    }
    return {
      id,
      failure: { code: sqliteCode(error), message: error instanceof Error ? error.message : String(error) },
    };
  }
}

parentPort?.on('message', (order: WriteOrder | LookOrder | 'close') => {
  if (order !== 'close') return parentPort?.postMessage(attempt(order));
  writer?.connection.close();
  parentPort?.close();
});

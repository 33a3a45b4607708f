import Sqlite from 'better-sqlite3';
import type { PreparedRead, SqlValue } from '../database.ts';
import { fromSqlite, isBroken } from './failures.ts';

/** Prepared reads on a separate connection: they never wait for a transaction, and see only committed data. */
export class SqliteReader {
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, Sqlite.Statement<SqlValue[]>>();
  #connection: Sqlite.Database | undefined;
  #closed = false;

  constructor(file: string, busyTimeoutMs: number) {
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  read<Row>(sql: string): PreparedRead<Row> {
    return {
      all: async (...values) => this.#run(sql, (statement) => statement.all(...values) as Row[]),
      first: async (...values) => this.#run(sql, (statement) => statement.get(...values) as Row | undefined),
    };
  }

  close(): void {
    this.#closed = true;
    this.#disconnect();
  }

  #run<T>(sql: string, work: (statement: Sqlite.Statement<SqlValue[]>) => T): T {
    try {
      return work(this.#statements.get(sql) ?? this.#prepare(sql));
    } catch (error) {
      if (isBroken(error)) this.#disconnect();
      throw fromSqlite(error);
    }
  }

  #prepare(sql: string): Sqlite.Statement<SqlValue[]> {
    if (this.#closed) throw new Error('The database is closed.');
    this.#connection ??= new Sqlite(this.#file, { readonly: true, timeout: this.#busyTimeoutMs });
    const statement = this.#connection.prepare<SqlValue[]>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #disconnect(): void {
    this.#statements.clear();
    this.#connection?.close();
    this.#connection = undefined;
  }
}

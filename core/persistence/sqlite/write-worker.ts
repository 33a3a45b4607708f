/** Runs in a thread of its own, so that waiting for the disk never blocks the main loop. */
import Sqlite from 'better-sqlite3';
import { answerOrders, type Answerer } from '../../support/worker-answers.ts';
import type { SqlValue } from '../database.ts';
import { prepareConnection } from './connection.ts';
import { isBroken } from './failures.ts';
import type { LogSize, Order, WriteAnswer, WriteOrder, WriterOptions } from './write-messages.ts';

/** The mode of a checkpoint; `NOOP` only reports the size of the log. */
type Mode = 'NOOP' | 'PASSIVE';

/** A connection to the database file. */
class Connection {
  readonly #connection: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<SqlValue[]>>();
  readonly #write: (order: WriteOrder) => void;
  /** The value at the last check. */
  #dataVersion: unknown;

  constructor({ file, busyTimeoutMs }: WriterOptions) {
    this.#connection = new Sqlite(file, { timeout: busyTimeoutMs, fileMustExist: true });
    prepareConnection(this.#connection, busyTimeoutMs);
    // Created once, because better-sqlite3 creates four functions each time.
    const transaction = this.#connection.transaction((order: WriteOrder) => this.#writeRows(order));
    this.#write = (order) => transaction.immediate(order);
  }

  carryOut(order: Order): WriteAnswer {
    switch (order.kind) {
      case 'poll':
        return { isChanged: this.#poll() };
      case 'checkpoint':
        return { log: this.#checkpoint('PASSIVE') };
      case 'write':
        this.#write(order);
        return { log: this.#logSize() };
    }
  }

  close(): void {
    this.#connection.close();
  }

  #writeRows({ inserts, changes }: WriteOrder): void {
    for (const { sql, rows } of inserts) {
      const statement = this.#statement(sql);
      for (const row of rows) statement.run(...row);
    }
    for (const { sql, values } of changes) this.#statement(sql).run(...values);
  }

  /** SQLite counts the commits of other connections. A new connection cannot know what was committed before. */
  #poll(): boolean {
    const before = this.#dataVersion;
    this.#dataVersion = this.#connection.pragma('data_version', { simple: true });
    return this.#dataVersion !== before;
  }

  #checkpoint(mode: Mode): LogSize {
    const [row] = this.#statement(`PRAGMA wal_checkpoint(${mode})`).all();
    const { log, checkpointed } = row as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }

  /** Returns undefined on failure, so that a durable write is not reported as failed. */
  #logSize(): LogSize | undefined {
    try {
      return this.#checkpoint('NOOP');
    } catch {
      return undefined;
    }
  }

  #statement(sql: string): Sqlite.Statement<SqlValue[]> {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#connection.prepare<SqlValue[]>(sql)));
    return statement;
  }
}

/** Opens the file for the first order, and again after a fault that makes the connection unusable. */
function answererOf(options: WriterOptions): Answerer<Order, WriteAnswer> {
  let connection: Connection | undefined;
  const close = (): void => {
    connection?.close();
    connection = undefined;
  };
  return {
    answer: (order) => {
      try {
        return (connection ??= new Connection(options)).carryOut(order);
      } catch (error) {
        if (isBroken(error)) close();
        throw error;
      }
    },
    end: close,
  };
}

answerOrders(answererOf);

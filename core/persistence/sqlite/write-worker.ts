/** Runs in a thread of its own, so that waiting for the disk never stops the main loop. */
import Sqlite from 'better-sqlite3';
import type { Answerer } from '../../support/worker-messages.ts';
import type { SqlValue } from '../database.ts';
import { prepareConnection } from './connection.ts';
import { isBroken } from './failures.ts';
import type { LogSize, Order, WriteAnswer, WriteOrder, WriterOptions } from './write-messages.ts';

/** Of a checkpoint; `NOOP` only tells how the log stands. */
type Mode = 'NOOP' | 'PASSIVE';

/** An open file. */
class Connection {
  readonly #connection: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<SqlValue[]>>();
  readonly #write: (order: WriteOrder) => void;
  /** At the last look. */
  #dataVersion: unknown;

  constructor({ file, busyTimeoutMs }: WriterOptions) {
    this.#connection = new Sqlite(file, { timeout: busyTimeoutMs, fileMustExist: true });
    prepareConnection(this.#connection, busyTimeoutMs);
    // Made once: better-sqlite3 makes four functions and their properties each time.
    const transaction = this.#connection.transaction((order: WriteOrder) => this.#writeRows(order));
    this.#write = (order) => transaction.immediate(order);
  }

  carryOut(order: Order): WriteAnswer {
    switch (order.kind) {
      case 'look':
        return { isChanged: this.#look() };
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

  /** SQLite counts for a connection what others commit. A new connection cannot know what went before it. */
  #look(): boolean {
    const before = this.#dataVersion;
    this.#dataVersion = this.#connection.pragma('data_version', { simple: true });
    return this.#dataVersion !== before;
  }

  #checkpoint(mode: Mode): LogSize {
    const [row] = this.#statement(`PRAGMA wal_checkpoint(${mode})`).all();
    const { log, checkpointed } = row as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }

  /** A write that is durable is not reported as failed when this fails. */
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

/** A `WorkerModule`. Opens the file with the first order, and again after a fault after which it cannot be trusted. */
export default function answerer(options: WriterOptions): Answerer<Order, WriteAnswer> {
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

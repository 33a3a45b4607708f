import { WorkerCalls, WorkerLost } from '../../support/worker-calls.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BatchChange, BatchInsert } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { unavailable } from '../unavailable.ts';
import { fromSqlite } from './failures.ts';
import type { LogSize, Order, WriteAnswer, WriterOptions } from './write-messages.ts';

/** Writes on a connection in a thread of its own. When the thread dies, its pending orders fail with `StoreUnavailable`. */
export class SqliteWriter {
  readonly #thread: WorkerCalls<Order, WriteAnswer>;
  #closed = false;

  constructor(options: WriterOptions, logger: Logger) {
    this.#thread = new WorkerCalls({
      module: './write-worker',
      callerUrl: import.meta.url,
      data: options,
      lost: (error) =>
        logger.error({ err: error }, 'A thread that writes to SQLite ended; the next order starts another.'),
    });
  }

  /** Resolves when the batch is durable, with the size of the log if it is known. */
  async write(
    batch: readonly BatchInsert[],
    changes: readonly BatchChange[] = [],
  ): Promise<LogSize | undefined> {
    const inserts = batch.map((insert) => ({ sql: insertSql(insert), rows: insert.rows }));
    const { log } = await this.#ask({ kind: 'write', inserts, changes });
    return log;
  }

  /** Whether another connection, of this or of another process, has committed since the last check. */
  async poll(): Promise<boolean> {
    const { isChanged } = await this.#ask({ kind: 'poll' });
    return isChanged === true;
  }

  /** Copies the write-ahead log into the database file; pages that are written meanwhile may remain. */
  async checkpoint(): Promise<LogSize> {
    const { log } = await this.#ask({ kind: 'checkpoint' });
    return log!;
  }

  /** Closes the connection after all earlier orders are carried out. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.end();
  }

  /** Ends the thread before its next order, like a crash; for tests. Ending it within SQLite would crash the process. */
  kill(): void {
    this.#thread.kill();
  }

  async #ask(order: Order): Promise<WriteAnswer> {
    if (this.#closed) throw unavailable(new Error('the database is closed'));
    try {
      return await this.#thread.ask(order);
    } catch (error) {
      throw error instanceof WorkerLost ? unavailable(error) : fromSqlite(error);
    }
  }
}

function insertSql(insert: BatchInsert): string {
  const placeholders = Object.keys(insert.columns).fill('?').join(', ');
  return `${insertInto(insert)} VALUES (${placeholders})${onConflict(insert)}`;
}

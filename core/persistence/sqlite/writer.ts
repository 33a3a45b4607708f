import { WorkerCalls, WorkerLost } from '../../support/worker-calls.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BatchChange, BatchInsert } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { unavailable } from '../unavailable.ts';
import { fromSqlite } from './failures.ts';
import type { LogSize, Order, WriteAnswer, WriterOptions } from './write-messages.ts';

/** A connection in a thread of its own. Its faults are the kernel's; a thread that dies fails what it had with 503. */
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

  /** Starts the thread before it is needed. */
  start(): void {
    this.#thread.start();
  }

  /** Resolves when the batch is durable, with the size of the log where it is known. */
  async write(
    batch: readonly BatchInsert[],
    changes: readonly BatchChange[] = [],
  ): Promise<LogSize | undefined> {
    const inserts = batch.map((insert) => ({ sql: insertSql(insert), rows: insert.rows }));
    const { log } = await this.#ask({ kind: 'write', inserts, changes });
    return log;
  }

  /** Whether another connection, of this process or of another one, has committed since the last look. */
  async look(): Promise<boolean> {
    const { isChanged } = await this.#ask({ kind: 'look' });
    return isChanged === true;
  }

  /** Copies what the write-ahead log has into the database file; what is written meanwhile may stay behind. */
  async checkpoint(): Promise<LogSize> {
    const { log } = await this.#ask({ kind: 'checkpoint' });
    return log!;
  }

  /** Orders that were given before are carried out. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.end();
  }

  /** Ends the thread before it takes another order, as a crash would; for tests. Ended within SQLite it takes the process with it. */
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
  const places = Object.keys(insert.columns).fill('?').join(', ');
  return `${insertInto(insert)} VALUES (${places})${onConflict(insert)}`;
}

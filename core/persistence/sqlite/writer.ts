import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../../runtime/worker-thread.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { BatchChange, BatchInsert } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { InsertMemory } from '../insert-memory.ts';
import { unavailable } from '../unavailable.ts';
import { fromSqlite } from './failures.ts';
import type { LookOrder, WriteOrder, WriteReport, WriterOptions } from './write-messages.ts';

interface Pending {
  readonly resolve: (isChanged?: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Hands batches to the write worker. A worker that dies fails what it had and is replaced by the next write. */
export class SqliteWriter {
  readonly #options: WriterOptions;
  readonly #logger: Logger;
  readonly #pending = new Map<number, Pending>();
  readonly #statements = new InsertMemory(([insert]) => insertSql(insert!));
  #worker: Worker | undefined;
  #lastId = 0;
  #closed = false;

  constructor(options: WriterOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** Starts the worker before it is needed. */
  start(): void {
    this.#worker ??= this.#begin();
  }

  /** Resolves when the batch is durable. */
  write(batch: readonly BatchInsert[], changes: readonly BatchChange[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const inserts = batch.map((insert) => ({ sql: this.#statements.of([insert]), rows: insert.rows }));
      this.#order({ id, inserts, changes }, { resolve: () => resolve(), reject });
    });
  }

  /** Whether another connection, of this process or of another one, has committed since the last look. */
  look(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#order({ id: ++this.#lastId }, { resolve: (isChanged) => resolve(isChanged === true), reject });
    });
  }

  /** Orders that were given before are carried out. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  /** Ends the worker before it takes another order, as a crash would; for tests. Ended within SQLite it takes the process with it. */
  kill(): void {
    void this.#worker?.terminate();
  }

  #order(order: WriteOrder | LookOrder, pending: Pending): void {
    if (this.#closed) return pending.reject(unavailable(new Error('the database is closed')));
    this.#pending.set(order.id, pending);
    this.start();
    this.#worker?.postMessage(order);
  }

  #begin(): Worker {
    const options = { workerData: this.#options, name: 'sqlite-writer' };
    const worker = startWorkerThread('./write-worker', import.meta.url, options);
    worker.on('message', (report: WriteReport) => this.#settle(report));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`the write worker ended with code ${code}`)));
    return worker;
  }

  #settle({ id, isChanged, failure }: WriteReport): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!failure) pending?.resolve(isChanged);
    else pending?.reject(fromSqlite(Object.assign(new Error(failure.message), { code: failure.code })));
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (!this.#closed)
      this.#logger.error({ err: error }, 'The write worker is gone; the next write starts another.');
    for (const { reject } of this.#pending.values()) reject(unavailable(error));
    this.#pending.clear();
  }
}

function insertSql(insert: BatchInsert): string {
  const places = Object.keys(insert.columns).fill('?').join(', ');
  return `${insertInto(insert)} VALUES (${places})${onConflict(insert)}`;
}

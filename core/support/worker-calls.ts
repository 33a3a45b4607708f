import { Worker } from 'node:worker_threads';
import type { WorkerMessage, WorkerReport } from './worker-answers.ts';
import { workerEntry } from './worker-thread.ts';

/** The worker died before it answered. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** The module that a thread runs, and its options. */
export interface WorkerCallsOptions {
  /** A module beside the caller's that calls `answerOrders`, without extension: `'./write-worker'`, and `import.meta.url`. */
  readonly module: string;
  readonly callerUrl: string;
  /** Data for the module, which receives a copy. */
  readonly data?: unknown;
  /** Called when the thread ended unexpectedly. */
  readonly lost: (error: Error) => void;
}

interface Pending<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends orders to one worker thread, which starts with the first order and answers them in sequence; `piscina` guarantees
 * neither the order of its tasks nor that pending tasks finish on close. When the thread dies, pending orders fail with
 * `WorkerLost` and the next order starts another thread. It keeps the process alive only while orders are pending.
 */
export class WorkerCalls<Order, Answer> {
  readonly #options: WorkerCallsOptions;
  /** In the order of the orders, in which they are answered. */
  readonly #pending: Pending<Answer>[] = [];
  #worker: Worker | undefined;
  #isEnding = false;

  constructor(options: WorkerCallsOptions) {
    this.#options = options;
  }

  /** Sends an order and resolves with its answer. Throws the worker's error as an `Error` with its message and `code`. */
  ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#begin());
      const message: WorkerMessage<Order> = { order };
      worker.postMessage(message);
      this.#pending.push({ resolve, reject });
      worker.ref();
    });
  }

  /** Ends the worker after all pending orders. No further order may be sent. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('end' satisfies WorkerMessage<Order>);
    await ended;
  }

  /** Ends the worker before its next order, like a crash; for tests. */
  kill(): void {
    void this.#worker?.terminate();
  }

  #begin(): Worker {
    const { module, callerUrl, data } = this.#options;
    const { filename, execArgv } = workerEntry(module, callerUrl);
    const worker = new Worker(filename, { execArgv, workerData: data, name: module });
    worker.unref();
    worker.on('message', (report: WorkerReport<Answer>) => this.#settle(worker, report));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => {
      const wasAsked = this.#worker === worker && code === 0 && this.#pending.length === 0;
      if (wasAsked) this.#worker = undefined;
      else this.#lost(worker, new Error(`the worker ended with code ${code}`));
    });
    return worker;
  }

  #settle(worker: Worker, { answer, failure }: WorkerReport<Answer>): void {
    const pending = this.#worker === worker ? this.#pending.shift() : undefined;
    if (!pending) return;
    if (this.#pending.length === 0 && !this.#isEnding) worker.unref();
    if (!failure) pending.resolve(answer as Answer);
    else pending.reject(Object.assign(new Error(failure.message), { code: failure.code }));
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.splice(0)) reject(new WorkerLost(error.message, { cause: error }));
    this.#options.lost(error);
  }
}

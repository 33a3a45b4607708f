import type { Worker } from 'node:worker_threads';
import type { ThreadPriority } from './low-priority.ts';
import { END, type WorkerData, type WorkerOrder, type WorkerReport } from './worker-messages.ts';
import { startWorkerThread, workerModule } from './worker-thread.ts';

/** The worker died before it answered. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** Which module a thread runs, and how. */
export interface WorkerCallsOptions {
  /** A `WorkerModule` beside the caller's module, without extension: `'./hash-worker'`, and `import.meta.url`. */
  readonly module: string;
  readonly callerUrl: string;
  /** For the module; it is copied. */
  readonly data?: unknown;
  /**
   * `low` gives way to all other threads of this process, `idle` at once and for as long as they have something to do,
   * where the system can tell them apart (Linux).
   */
  readonly priority?: ThreadPriority;
  /** Told when it died by itself. */
  readonly lost: (error: Error) => void;
  /** Ends it when it was not asked for so long; the next order starts another. Never, unless told. */
  readonly idleMs?: number;
}

interface Waiting<Answer> {
  readonly id: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Asks a worker thread, which is started with the first order and answers in turn. One that dies fails what it had, with
 * `WorkerLost`, and is replaced by the next order. It keeps the process alive only while it has something to do.
 */
export class WorkerCalls<Order, Answer> {
  readonly #options: WorkerCallsOptions;
  /** Oldest first. No `Map`, whose old tables would keep all later ones alive until a full collection. */
  readonly #waiting: Waiting<Answer>[] = [];
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isEnding = false;
  #lastId = 0;

  constructor(options: WorkerCallsOptions) {
    this.#options = options;
  }

  /** Starts the worker before it is needed. */
  start(): Worker {
    return (this.#worker ??= this.#begin());
  }

  /** Throws what the worker threw, as an `Error` with its message and `code`. */
  ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const message: WorkerOrder<Order> = { id, order };
      const worker = this.start();
      worker.postMessage(message);
      clearTimeout(this.#idle);
      this.#waiting.push({ id, resolve, reject });
      worker.ref();
    });
  }

  /** Ends the worker once it has carried out what it was asked before. It is not to be asked again. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage(END);
    await ended;
  }

  /** Ends the worker before it takes another order, as a crash would; for tests. */
  kill(): void {
    void this.#worker?.terminate();
  }

  #begin(): Worker {
    const { module, callerUrl, data, priority = 'normal' } = this.#options;
    const workerData: WorkerData = { module: workerModule(module, callerUrl).href, data, priority };
    const worker = startWorkerThread('./calls-worker', import.meta.url, { workerData, name: module });
    worker.unref();
    worker.on('message', (report: WorkerReport<Answer>) => this.#settle(worker, report));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => {
      const wasAsked = this.#worker === worker && code === 0 && this.#waiting.length === 0;
      if (wasAsked) this.#worker = undefined;
      else this.#lost(worker, new Error(`the worker ended with code ${code}`));
    });
    return worker;
  }

  #settle(worker: Worker, { id, answer, failure }: WorkerReport<Answer>): void {
    const index = this.#waiting.findIndex((one) => one.id === id);
    if (index < 0) return;
    const { resolve, reject } = this.#waiting.splice(index, 1)[0]!;
    if (this.#waiting.length === 0 && !this.#isEnding) this.#rest(worker);
    if (!failure) resolve(answer as Answer);
    else reject(Object.assign(new Error(failure.message), { code: failure.code }));
  }

  #rest(worker: Worker): void {
    worker.unref();
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => this.#letGo(worker), idleMs).unref();
  }

  #letGo(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    worker.postMessage(END);
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(new WorkerLost(error.message, { cause: error }));
    this.#options.lost(error);
  }
}

import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../../../core/index.ts';
import type { SchemaFinding } from '../contract.ts';
import type { SchemaAnswer, SchemaRequest } from './protocol.ts';
import { afterWorkOf } from './work-deadline.ts';

const START_MS = 20_000;
/** Compiled schemas that one worker may hold before it is replaced. */
const MOST_KNOWN = 500;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** A value as text travels and is read at least this fast, in characters for each millisecond. */
const READING_SPEED = 32_768;

/** The worker ran past its deadline or out of memory, and is gone. */
export class WorkerGaveUp extends Error {}

/** Milliseconds that a request may take. */
export interface Deadlines {
  readonly compileMs: number;
  readonly checkMs: number;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** One thread that compiles and checks, one request at a time; it is ended when it runs past a deadline. */
export class SchemaThread {
  readonly #worker: Worker;
  readonly #known = new Set<string>();
  /** Why it did not start, if so. */
  readonly #ready: Promise<Error | undefined>;
  #waiting: Waiting<SchemaAnswer> | undefined;
  /** What came before anybody waited for it. */
  readonly #early: SchemaAnswer[] = [];
  #alive = true;

  constructor() {
    this.#worker = startWorkerThread('./schema-worker', import.meta.url, { resourceLimits: LIMITS, env: {} });
    this.#worker.unref();
    this.#worker.on('message', (answer: SchemaAnswer) => this.#take(answer));
    this.#worker.on('error', (error) => this.#end(new WorkerGaveUp('The worker failed.', { cause: error })));
    this.#worker.on('exit', () => this.#end(new WorkerGaveUp('The worker ended.')));
    this.#ready = this.#answerWithin(START_MS).then(
      () => undefined,
      (error: Error) => error,
    );
  }

  /** Whether it can take another request. */
  get usable(): boolean {
    return this.#alive && this.#known.size < MOST_KNOWN;
  }

  knows(key: string): boolean {
    return this.#known.has(key);
  }

  /** Throws `WorkerGaveUp` when there is no answer in time. */
  async run(request: SchemaRequest, deadlines: Deadlines): Promise<readonly SchemaFinding[]> {
    const failure = await this.#ready;
    if (failure !== undefined)
      throw new Error('The worker that checks schemas did not start.', { cause: failure });
    const known = request.kind === 'check' && this.knows(request.key);
    this.#worker.postMessage(known ? { ...request, schema: undefined } : request);
    const first = known ? undefined : await this.#answerWithin(deadlines.compileMs);
    const reading = request.kind === 'check' ? request.value.length / READING_SPEED : 0;
    const last = first?.kind === 'done' ? first : await this.#answerWithin(deadlines.checkMs + reading);
    if (request.kind === 'check') this.#known.add(request.key);
    return last.kind === 'done' ? last.findings : [];
  }

  async end(): Promise<void> {
    this.#end(new WorkerGaveUp('The worker was ended.'));
    await this.#worker.terminate();
  }

  #take(answer: SchemaAnswer): void {
    if (this.#waiting === undefined) this.#early.push(answer);
    else this.#waiting.resolve(answer);
    this.#waiting = undefined;
  }

  async #answerWithin(milliseconds: number): Promise<SchemaAnswer> {
    const early = this.#early.shift();
    if (early !== undefined) return early;
    let stopWatching: (() => void) | undefined;
    try {
      return await new Promise<SchemaAnswer>((resolve, reject) => {
        const waiting = { resolve, reject };
        this.#waiting = waiting;
        if (!this.#alive) return reject(new WorkerGaveUp('The worker is gone.'));
        stopWatching = afterWorkOf(milliseconds, () =>
          waiting.reject(new WorkerGaveUp('The worker ran past its deadline.')),
        );
      });
    } catch (error) {
      void this.end();
      throw error;
    } finally {
      stopWatching?.();
      this.#waiting = undefined;
    }
  }

  #end(reason: Error): void {
    this.#alive = false;
    this.#waiting?.reject(reason);
  }
}

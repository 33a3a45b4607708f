import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '../../../core/index.ts';
import type { SchemaFinding } from '../contract.ts';
import type { SchemaAnswer, SchemaRequest } from './protocol.ts';

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
export class SchemaWorker {
  readonly #worker: Worker;
  readonly #known = new Set<string>();
  /** Why it did not start, if so. */
  readonly #ready: Promise<Error | undefined>;
  #waiting: Waiting<SchemaAnswer> | undefined;
  #alive = true;

  constructor() {
    this.#worker = startWorkerThread('./worker', import.meta.url, { resourceLimits: LIMITS, env: {} });
    this.#worker.unref();
    this.#worker.on('message', (answer: SchemaAnswer) => this.#waiting?.resolve(answer));
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
    const reading = request.kind === 'check' ? request.value.length / READING_SPEED : 0;
    const answer = await this.#answerWithin(deadlines.checkMs + reading + (known ? 0 : deadlines.compileMs));
    if (request.kind === 'check') this.#known.add(request.key);
    return answer.kind === 'done' ? answer.findings : [];
  }

  async end(): Promise<void> {
    this.#end(new WorkerGaveUp('The worker was ended.'));
    await this.#worker.terminate();
  }

  async #answerWithin(milliseconds: number): Promise<SchemaAnswer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<SchemaAnswer>((resolve, reject) => {
        const waiting = { resolve, reject };
        const tooLate = () => waiting.reject(new WorkerGaveUp('The worker ran past its deadline.'));
        this.#waiting = waiting;
        if (!this.#alive) return reject(new WorkerGaveUp('The worker is gone.'));
        // An answer may have arrived while this thread was busy: let it be read before the time is up.
        timer = setTimeout(() => setImmediate(tooLate), milliseconds);
      });
    } catch (error) {
      void this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  #end(reason: Error): void {
    this.#alive = false;
    this.#waiting?.reject(reason);
  }
}

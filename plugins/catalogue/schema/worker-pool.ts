import { NotReady, Overloaded, token } from '../../../core/index.ts';
import type { SchemaFinding } from '../contract.ts';
import type { SchemaRequest } from './protocol.ts';
import { SchemaThread, type Deadlines } from './schema-thread.ts';

const MOST_WAITING = 128;
/** So that one schema cannot take all places. */
const MOST_WAITING_FOR_ONE = 32;
/** Workers that nobody needed for so long are ended; milliseconds. */
const IDLE_MS = 60_000;

export interface PoolOptions extends Deadlines {
  readonly workers: number;
}

interface Waiting {
  readonly key: string;
  resolve(worker: SchemaThread): void;
  reject(error: Error): void;
}

const stopping = () => NotReady('The service is stopping.', { headers: { 'Retry-After': '5' } });

/**
 * Workers for schemas that may be costly: started when first needed, replaced when one had to be ended, and ended when
 * none was needed for a minute.
 */
export class SchemaWorkerPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<SchemaThread>();
  /** The one used last stands last. */
  #idle: SchemaThread[] = [];
  #waiting: Waiting[] = [];
  #stopped = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Throws `WorkerGaveUp` past the deadline, `Overloaded` when too many wait already. */
  async run(request: SchemaRequest): Promise<readonly SchemaFinding[]> {
    const worker = await this.#take(request.key);
    try {
      return await worker.run(request, this.#options);
    } catch (error) {
      throw this.#stopped ? stopping() : error;
    } finally {
      this.#giveBack(worker);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#idleTimer);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(stopping());
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  #take(key: string): SchemaThread | Promise<SchemaThread> {
    if (this.#stopped) throw stopping();
    clearTimeout(this.#idleTimer);
    const worker = this.#idle.findLast((idle) => idle.knows(key)) ?? this.#idle.at(-1) ?? this.#start();
    if (worker === undefined) return this.#wait(key);
    this.#idle = this.#idle.filter((idle) => idle !== worker);
    this.#standBy();
    return worker;
  }

  #wait(key: string): Promise<SchemaThread> {
    const alike = this.#waiting.filter((waiting) => waiting.key === key).length;
    if (this.#waiting.length >= MOST_WAITING || alike >= MOST_WAITING_FOR_ONE) {
      throw Overloaded('Too many values wait to be checked against their schema.', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve, reject) => this.#waiting.push({ key, resolve, reject }));
  }

  #giveBack(worker: SchemaThread): void {
    if (this.#stopped) return;
    if (worker.usable) this.#offer(worker);
    else this.#replace(worker);
    this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_MS).unref();
  }

  #offer(worker: SchemaThread): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#idle.push(worker);
    else waiting.resolve(worker);
  }

  #replace(worker: SchemaThread): void {
    this.#all.delete(worker);
    void worker.end();
    if (this.#waiting.length === 0) return this.#standBy();
    const next = this.#start();
    if (next !== undefined) this.#offer(next);
  }

  /** Keeps one worker idle where the limit allows, so that the next request need not wait for a thread to start. */
  #standBy(): void {
    const next = this.#idle.length === 0 ? this.#start() : undefined;
    if (next !== undefined) this.#idle.unshift(next);
  }

  #start(): SchemaThread | undefined {
    if (this.#all.size >= this.#options.workers) return undefined;
    const worker = new SchemaThread();
    this.#all.add(worker);
    return worker;
  }

  #endIdle(): void {
    for (const worker of this.#idle.splice(0)) {
      this.#all.delete(worker);
      void worker.end();
    }
  }
}

export const SCHEMA_WORKERS = token<SchemaWorkerPool>('catalogue:schema-workers');

import { Piscina } from 'piscina';
import { Bulkhead, NotReady, Overloaded, token, workerEntry } from '../../../core/index.ts';
import type { SchemaFindings, SchemaProgress, SchemaTask } from './protocol.ts';
import { WorkDeadline } from './work-deadline.ts';

const MAX_WAITING = 128;
/** Tasks that may wait for one schema, so that one schema cannot fill the queue. */
const MAX_WAITING_PER_SCHEMA = 32;
/** Threads end after this time without a task; milliseconds. */
const IDLE_MS = 60_000;
/** Milliseconds in which a thread must start and begin its task. */
const START_MS = 20_000;
/** Memory of each thread. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Characters of JSON text that are parsed in a millisecond, at least. */
const READING_SPEED = 32_768;

/** A task exceeded its deadline or its memory, or failed. */
export class SchemaTaskFailed extends Error {}

/** The limits of the threads. */
export interface SchemaWorkersOptions {
  /** The number of threads at most. */
  readonly workers: number;
  /** Milliseconds that a schema may take to compile. */
  readonly compileMs: number;
  /** Milliseconds that a check may take. */
  readonly checkMs: number;
}

/**
 * Threads for schemas that may be costly. A thread starts when it is first needed, and ends when it is idle or its task
 * exceeds its deadline. The tasks of one schema leave at least one of several threads to other schemas.
 */
export class SchemaWorkers {
  readonly #options: SchemaWorkersOptions;
  readonly #pool: Piscina<SchemaTask, SchemaFindings>;
  /** Tasks wait here and not in the pool, so that deadlines cover the work and not the wait. */
  readonly #all: Bulkhead;
  readonly #perSchema = new Map<string, Bulkhead>();
  readonly #deadlines = new Map<number, (progress: SchemaProgress) => void>();
  #lastId = 0;
  #isStopped = false;

  constructor(options: SchemaWorkersOptions) {
    this.#options = options;
    this.#all = new Bulkhead({ limit: options.workers, queueLimit: MAX_WAITING, refuse: overloaded });
    this.#pool = new Piscina<SchemaTask, SchemaFindings>({
      ...workerEntry('./schema-worker', import.meta.url),
      minThreads: 0,
      maxThreads: options.workers,
      idleTimeout: IDLE_MS,
      resourceLimits: LIMITS,
      env: {},
    });
    this.#pool.on('message', (progress: SchemaProgress) => this.#deadlines.get(progress.id)?.(progress));
    // When a thread cannot start, its task exceeds the deadline for the start.
    this.#pool.on('error', () => undefined);
  }

  /** Throws `SchemaTaskFailed` after the deadline, `Overloaded` when the queue is full, and `NotReady` after `stop`. */
  async run(task: Omit<SchemaTask, 'id'>): Promise<SchemaFindings> {
    const own = this.#bulkheadOf(task.key);
    try {
      return await own.run(() => this.#all.run(() => this.#inTime({ ...task, id: ++this.#lastId })));
    } catch (error) {
      throw this.#isStopped ? stopping() : error;
    } finally {
      if (own.isIdle) this.#perSchema.delete(task.key);
    }
  }

  /** Ends the threads; tasks that run or wait throw `NotReady`. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pool.destroy();
  }

  async #inTime(task: SchemaTask): Promise<SchemaFindings> {
    if (this.#isStopped) throw stopping();
    const aborting = new AbortController();
    let begun = false;
    const deadline = new WorkDeadline(START_MS, () => aborting.abort());
    this.#deadlines.set(task.id, ({ step }) => {
      begun = true;
      deadline.restart(step === 'compile' ? this.#options.compileMs : this.#checkMs(task));
    });
    try {
      return await this.#pool.run(task, { signal: aborting.signal });
    } catch (error) {
      if (!begun && aborting.signal.aborted)
        throw new Error('The worker that checks schemas did not start.', { cause: error });
      throw new SchemaTaskFailed('The worker did not end its task.', { cause: error });
    } finally {
      deadline.cancel();
      this.#deadlines.delete(task.id);
    }
  }

  #checkMs({ value = '' }: SchemaTask): number {
    return this.#options.checkMs + value.length / READING_SPEED;
  }

  #bulkheadOf(key: string): Bulkhead {
    const known = this.#perSchema.get(key);
    if (known) return known;
    const limit = Math.max(1, this.#options.workers - 1);
    const made = new Bulkhead({ limit, queueLimit: MAX_WAITING_PER_SCHEMA, refuse: overloaded });
    this.#perSchema.set(key, made);
    return made;
  }
}

export const SCHEMA_WORKERS = token<SchemaWorkers>('catalogue:schema-workers');

function overloaded(): Error {
  return Overloaded('Too many values wait to be checked against their schema.', {
    headers: { 'Retry-After': '1' },
  });
}

function stopping(): Error {
  return NotReady('The service is stopping.', { headers: { 'Retry-After': '5' } });
}

import { Piscina } from 'piscina';
import { Bulkhead, NotReady, Overloaded, token, workerEntry } from '../../../core/index.ts';
import { DeadlineHistory } from './deadline-history.ts';
import type { SchemaFindings, SchemaProgress, SchemaTask } from './protocol.ts';
import { WorkDeadline } from './work-deadline.ts';

/** Threads for costly schemas: a second one, so that one such schema does not hold up the others. */
const THREADS = 2;
/** Milliseconds of processor time to compile a schema, which takes far less unless it is made to be costly. */
const COMPILE_MS = 200;
/** Milliseconds of processor time for one check; the call waits for it. */
const CHECK_MS = 100;
const MAX_WAITING = 128;
/** The tasks of one schema, of which few may wait, so that one schema cannot fill the queue. */
const ONE_AT_A_TIME = { limit: 1, queueLimit: 32, refuse: overloaded };
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

/** A task was not begun, because its schema is paused. */
export class SchemaPaused extends Error {
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Milliseconds until then. */
  readonly waitMs: number;

  constructor(until: number, now: number) {
    super('The schema is paused.');
    this.until = until;
    this.waitMs = until - now;
  }
}

/** The limits of the threads. */
export interface SchemaPoolOptions {
  /** The number of threads at most, beside the one for untried schemas; 2 by default. */
  readonly workers?: number;
  /** Milliseconds of processor time that a schema may take to compile; 200 by default. */
  readonly compileMs?: number;
  /** Milliseconds of processor time that a check may take, beside those to read a long value; 100 by default. */
  readonly checkMs?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Threads of one kind, and the tasks that wait for them: here and not in the pool, so that deadlines cover only the work. */
interface Threads {
  readonly pool: Piscina<SchemaTask, SchemaFindings>;
  readonly bulkhead: Bulkhead;
}

/**
 * Threads for schemas that may be costly. A thread starts when it is first needed, and ends when it is idle or its task
 * exceeds its deadline. A schema has one thread at a time, so that schemas take turns. A schema that is saved, was not
 * checked yet or missed its last deadline has a thread apart, because others would wait for a new one where it ends one.
 */
export class SchemaPool {
  readonly #history: DeadlineHistory;
  readonly #options: Required<SchemaPoolOptions>;
  readonly #usual: Threads;
  readonly #untried: Threads;
  readonly #perSchema = Bulkhead.byKey();
  readonly #deadlines = new Map<number, (progress: SchemaProgress) => void>();
  #lastId = 0;
  #isStopped = false;

  constructor(options: SchemaPoolOptions) {
    this.#options = { workers: THREADS, compileMs: COMPILE_MS, checkMs: CHECK_MS, ...options };
    this.#history = new DeadlineHistory(options.now);
    this.#usual = this.#threads(this.#options.workers);
    this.#untried = this.#threads(1);
  }

  /**
   * Throws `SchemaTaskFailed` after the deadline, `SchemaPaused` after several of these in a row, `Overloaded` when the
   * queue is full, and `NotReady` after `stop`.
   */
  async run(task: Omit<SchemaTask, 'id'>): Promise<SchemaFindings> {
    this.#refusePaused(task.key);
    try {
      return await this.#perSchema.run(task.key, ONE_AT_A_TIME, () => this.#turn(task));
    } catch (error) {
      throw this.#isStopped ? stopping() : error;
    }
  }

  /** Ends the threads; tasks that run or wait throw `NotReady`. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#usual.pool.destroy(), this.#untried.pool.destroy()]);
  }

  async #turn(task: Omit<SchemaTask, 'id'>): Promise<SchemaFindings> {
    const { key } = task;
    // It may have been paused while this task waited.
    this.#refusePaused(key);
    const isCheck = task.value !== undefined;
    const { pool, bulkhead } = isCheck && this.#history.isProven(key) ? this.#usual : this.#untried;
    try {
      const findings = await bulkhead.run(() => this.#inTime(pool, { ...task, id: ++this.#lastId }));
      if (isCheck) this.#history.met(key);
      return findings;
    } catch (error) {
      if (error instanceof SchemaTaskFailed && !this.#isStopped) this.#history.missed(key);
      throw error;
    }
  }

  /** When the pause of a schema ends, in milliseconds since 1970; `undefined` while it is not paused. */
  pauseOf(key: string): number | undefined {
    return this.#history.pauseOf(key);
  }

  #refusePaused(key: string): void {
    const until = this.pauseOf(key);
    if (until !== undefined) throw new SchemaPaused(until, this.#options.now());
  }

  #threads(count: number): Threads {
    const pool = new Piscina<SchemaTask, SchemaFindings>({
      ...workerEntry('./schema-worker', import.meta.url),
      minThreads: 0,
      maxThreads: count,
      idleTimeout: IDLE_MS,
      resourceLimits: LIMITS,
      env: {},
    });
    pool.on('message', (progress: SchemaProgress) => this.#deadlines.get(progress.id)?.(progress));
    // When a thread cannot start, its task exceeds the deadline for the start.
    pool.on('error', () => undefined);
    return { pool, bulkhead: new Bulkhead({ limit: count, queueLimit: MAX_WAITING, refuse: overloaded }) };
  }

  async #inTime(pool: Threads['pool'], task: SchemaTask): Promise<SchemaFindings> {
    if (this.#isStopped) throw stopping();
    const aborting = new AbortController();
    let begun = false;
    const deadline = new WorkDeadline(START_MS, () => aborting.abort());
    this.#deadlines.set(task.id, ({ step }) => {
      begun = true;
      deadline.restart(step === 'compile' ? this.#options.compileMs : this.#checkMs(task));
    });
    try {
      return await pool.run(task, { signal: aborting.signal });
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
}

export const SCHEMA_POOL = token<SchemaPool>('catalogue:schema-pool');

function overloaded(): Error {
  return Overloaded('Too many values wait to be checked against their schema.', {
    headers: { 'Retry-After': '1' },
  });
}

function stopping(): Error {
  return NotReady('The service is stopping.', { headers: { 'Retry-After': '5' } });
}

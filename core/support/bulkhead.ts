import { setDeadline } from './deadline.ts';

/** The bounds of a bulkhead. */
export interface BulkheadOptions {
  /** Pieces of work that run at the same time. */
  readonly limit: number;
  /** Pieces of work that may be queued. */
  readonly queueLimit: number;
  /** Milliseconds that work may wait in the queue; unlimited by default. */
  readonly waitMs?: number;
  /** Makes the error of work that is refused, because the queue is full or it waited in it for too long. */
  readonly refuse: () => Error;
}

/** Runs a limited number of pieces of work at once, and queues a limited number, first come, first served. */
export class Bulkhead {
  readonly #options: BulkheadOptions;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(options: BulkheadOptions) {
    this.#options = options;
  }

  /** Makes a bulkhead for each key, which is there while work runs in it. */
  static byKey(): BulkheadsByKey {
    return new BulkheadsByKey();
  }

  /** Pieces of work that may run at the same time. */
  get limit(): number {
    return this.#options.limit;
  }

  /** Pieces of work that run now. */
  get running(): number {
    return this.#running;
  }

  /** Pieces of work that wait in the queue. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Whether no work runs here. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Whether work would be refused now. */
  get isFull(): boolean {
    return this.#running >= this.limit && this.#queue.length >= this.#options.queueLimit;
  }

  /**
   * Runs work as soon as a slot is free. Throws the error of `refuse` when the queue is full or the wait is too long, and
   * the reason of `signal` when that aborts before the work begins.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.limit) this.#running += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** For work that runs here: releases its slot during `work`, and then waits for a slot like `run`. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.#release();
    try {
      const result = await work();
      if (this.#running < this.limit) this.#running += 1;
      else await this.#wait(undefined);
      return result;
    } catch (error) {
      // `run` releases a slot after failed work as well, so take it back first.
      this.#running += 1;
      throw error;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waitMs, refuse } = this.#options;
    if (this.isFull) throw refuse();
    return new Promise((resolve, reject) => {
      const abandon = (reason: unknown): void => {
        this.#queue.splice(this.#queue.indexOf(begin), 1);
        settle();
        reject(reason as Error);
      };
      const begin = (): void => {
        settle();
        resolve();
      };
      const abort = (): void => abandon(signal?.reason);
      const cancel = waitMs === undefined ? undefined : setDeadline(waitMs, () => abandon(refuse()));
      const settle = (): void => {
        cancel?.();
        signal?.removeEventListener('abort', abort);
      };
      signal?.addEventListener('abort', abort);
      this.#queue.push(begin);
    });
  }

  /**
   * Passes the slot to queued work first, so that new work cannot overtake it. The slot of work that failed outside is one
   * beyond the limit, and ends.
   */
  #release(): void {
    const next = this.#running > this.limit ? undefined : this.#queue.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

/** A bulkhead for each key, deleted when it is idle. */
class BulkheadsByKey {
  readonly #bulkheads = new Map<string, Bulkhead>();

  /** Whether work of the key would be refused now. */
  isFull(key: string): boolean {
    return this.#bulkheads.get(key)?.isFull ?? false;
  }

  /** As `run` of the bulkhead of the key, which gets the options if it has to be made. */
  async run<T>(
    key: string,
    options: BulkheadOptions,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const bulkhead = this.#bulkheads.get(key) ?? new Bulkhead(options);
    this.#bulkheads.set(key, bulkhead);
    try {
      return await bulkhead.run(work, signal);
    } finally {
      // Work that ended at the same time may have deleted this one, and other work may have made the next one since.
      if (bulkhead.isIdle && this.#bulkheads.get(key) === bulkhead) this.#bulkheads.delete(key);
    }
  }
}

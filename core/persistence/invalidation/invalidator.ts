import type { Knex } from 'knex';
import type { Logger } from '../../telemetry/logger.ts';
import type { Transaction } from '../database.ts';
import type { Change, ChangeLog, SeenChanges } from './change-watch.ts';
import type { Invalidation } from './invalidation.ts';
import { createReadCache, type ReadCache, type ReadCacheOptions } from './read-cache.ts';

type Invalidate = (key: string | undefined) => void;

/** Collects what transactions publish, and calls the subscribers of this process. */
export class Invalidator implements Invalidation {
  readonly #log: Pick<ChangeLog, 'record'>;
  readonly #logger: Logger;
  readonly #subscribers = new Map<string, Invalidate[]>();
  readonly #published = new WeakMap<Transaction, Change[]>();

  constructor(log: Pick<ChangeLog, 'record'>, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  publish(trx: Transaction, topic: string, key: string): void {
    const published = this.#published.get(trx);
    if (!published) throw new Error(`"${topic}" is not published in the transaction that makes the change.`);
    published.push({ topic, key });
  }

  subscribe(topic: string, invalidate: Invalidate): void {
    const subscribers = this.#subscribers.get(topic);
    if (subscribers) subscribers.push(invalidate);
    else this.#subscribers.set(topic, [invalidate]);
  }

  cache<V>(options: ReadCacheOptions<V>): ReadCache<V> {
    return createReadCache((topic, invalidate) => this.subscribe(topic, invalidate), options);
  }

  /** Runs work in a transaction. Records its changes for other processes in it, and calls the subscribers after it. */
  async transaction<T>(knex: Knex, work: (trx: Transaction) => PromiseLike<T>): Promise<T> {
    let published: readonly Change[] = [];
    try {
      return await knex.transaction(async (trx) => {
        const changes: Change[] = [];
        const result = await this.#run(trx, work, changes);
        if (changes.length > 0) await this.#log.record(trx, changes);
        published = changes;
        return result;
      });
    } finally {
      // Also after a failed commit: it may have succeeded although its answer was lost.
      this.notify(published);
    }
  }

  /** Calls the subscribers of the changes. A failing one is logged, and the others still run. */
  notify(changes: SeenChanges): void {
    const all = changes === 'everything' ? this.#everything() : changes;
    for (const { topic, key } of all) {
      for (const invalidate of this.#subscribers.get(topic) ?? []) {
        try {
          invalidate(key);
        } catch (error) {
          this.#logger.error({ err: error, topic }, 'A subscriber failed to invalidate what has changed.');
        }
      }
    }
  }

  #everything(): Change[] {
    return [...this.#subscribers.keys()].map((topic) => ({ topic, key: undefined }));
  }

  async #run<T>(trx: Transaction, work: (trx: Transaction) => PromiseLike<T>, changes: Change[]): Promise<T> {
    this.#published.set(trx, changes);
    try {
      return await work(trx);
    } finally {
      this.#published.delete(trx);
    }
  }
}

import { token } from '../../di/token.ts';
import type { Transaction } from '../database.ts';
import type { ReadCache, ReadCacheOptions } from './read-cache.ts';

/**
 * Invalidates caches in every process on the same database when something changes: at once in this process, within 2 s
 * in all others. On SQLite a change by another process invalidates everything.
 */
export interface Invalidation {
  /**
   * Publishes a change from within the transaction of `Database.transaction` that makes it. Subscribers of this process
   * run after the commit and before that call resolves; they do not run after a rollback. `key` has at most 200
   * characters. Throws outside of such a transaction.
   */
  publish(trx: Transaction, topic: string, key: string): void;
  /**
   * Calls `invalidate` for each change of the topic; `key` is `undefined` when any key may have changed. A key may come
   * twice. Errors of `invalidate` are logged, and the other subscribers still run.
   */
  subscribe(topic: string, invalidate: (key: string | undefined) => void): void;
  /** Creates a cache of what is read from the database, which drops what changes. */
  cache<V>(options: ReadCacheOptions<V>): ReadCache<V>;
}

/** Invalidates caches in this and in other processes. */
export const INVALIDATION = token<Invalidation>('core:invalidation');

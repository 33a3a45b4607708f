import { token } from '../../di/token.ts';
import type { Transaction } from '../database.ts';

/**
 * Tells every process on the same database that something changed, so that what is cached of it is dropped: at once in
 * this process, within 2 s in all others. On SQLite a change by another process drops everything.
 */
export interface Invalidation {
  /**
   * Tells of a change from within the transaction of `Database.transaction` that makes it. Subscribers here run when it
   * has committed, before that call resolves; they are not told of one that was rolled back. `key` is at most 200
   * characters. Throws after the end of the work.
   */
  publish(trx: Transaction, topic: string, key: string): void;
  /**
   * `key` is `undefined` when it is not known which one changed: forget everything of the topic. A key may be told
   * twice. What `forget` throws is logged, and the other subscribers are told all the same.
   */
  subscribe(topic: string, forget: (key: string | undefined) => void): void;
}

/** Tells this and other instances what their caches must drop. */
export const INVALIDATION = token<Invalidation>('core:invalidation');

import { token } from '../../di/token.ts';
import type { Transaction } from '../database.ts';

/**
 * Tells every instance on the same database that something changed, so that what it remembers is forgotten:
 * at once in this process, within 2 s in all others. On SQLite a change by another process makes everything forgotten.
 */
export interface Signals {
  /**
   * Tells of a change from within the transaction of `Database.transaction` that makes it. Subscribers here run when it
   * has committed, before that call resolves; nobody hears of one that was rolled back. `key` is at most 200 characters.
   * Throws after the end of the work.
   */
  publish(trx: Transaction, topic: string, key: string): void;
  /**
   * `key` is `undefined` when messages may have been missed: forget everything of the topic. What `forget` throws is
   * logged, and the other subscribers are told all the same.
   */
  subscribe(topic: string, forget: (key: string | undefined) => void): void;
}

/** Tells this and other instances what their caches must drop. */
export const SIGNALS = token<Signals>('core:signals');

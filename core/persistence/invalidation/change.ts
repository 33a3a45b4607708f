import type { Transaction } from '../database.ts';

/** A change of one key of a topic; without a key, of any keys of the topic. */
export interface Change {
  readonly topic: string;
  readonly key: string | undefined;
}

/** Changes by other processes. */
export type SeenChanges = readonly Change[] | 'everything';

/** How an engine publishes changes to other processes. */
export interface ChangeLog {
  /** Records changes in the transaction that makes them. */
  record(trx: Transaction, changes: readonly Change[]): Promise<void>;
  /** The changes since the last call, for the first one all that are known; changes of this process may be included. */
  poll(): Promise<SeenChanges>;
}

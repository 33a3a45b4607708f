import type { Transaction } from '../database.ts';

/** Something that changed: a key of a topic, or, without one, anything of the topic. */
export interface Change {
  readonly topic: string;
  readonly key: string | undefined;
}

/** What other processes changed. */
export type SeenChanges = readonly Change[] | 'everything';

/** How an engine lets other processes know of changes. */
export interface ChangeLog {
  /** Notes changes in the transaction that makes them. */
  record(trx: Transaction, changes: readonly Change[]): Promise<void>;
  /** What was noted since the last look; changes of this process may be among it. */
  look(): Promise<SeenChanges>;
}

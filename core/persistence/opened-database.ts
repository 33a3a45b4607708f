import type { Database, Transaction } from './database.ts';
import type { Invalidation } from './invalidation/invalidation.ts';
import type { UpgradeBackup } from './migrations/upgrade-backup.ts';

/** The installation's database with its connections open. */
export interface OpenDatabase extends Database {
  readonly invalidation: Invalidation;
  /** Engine and place, for a log line; no credentials. */
  readonly description: string;
  readonly upgradeBackup: UpgradeBackup;
  /**
   * Runs one step of a plugin's tables in a transaction: alone among all instances, without time-outs, and with
   * foreign keys checked at its end only.
   */
  alone<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Finishes the writes under way and closes every connection. May be called again. */
  close(): Promise<void>;
}

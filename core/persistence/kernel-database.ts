import type { Database, Transaction } from './database.ts';
import type { Invalidation } from './invalidation/invalidation.ts';
import type { UpgradeBackup } from './migrations/upgrade.ts';

/** Connections of the pool for queries and transactions. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

/** The open database of the installation, with the methods that only the kernel calls. */
export interface OpenDatabase extends Database {
  readonly invalidation: Invalidation;
  /** Engine and location for a log line, without credentials. */
  readonly description: string;
  readonly upgradeBackup: UpgradeBackup;
  /**
   * Runs one migration step in a transaction: under a lock for all instances, without time-outs, and with foreign keys
   * checked only at its end.
   */
  alone<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Looks twice a second for changes by other processes, from now until it is closed. A command that ends soon need not: the
   * first look starts the thread that writes on SQLite, and takes a connection on PostgreSQL.
   */
  watchChanges(): void;
  /** How the pool is used now; SQLite has one connection that writes. */
  poolUse(): PoolUse;
  /** Finishes the current writes and closes every connection. May be called again. */
  close(): Promise<void>;
}

import type { Transaction } from '../database.ts';
import { tablePrefix } from './ledger.ts';

/** A step of a plugin, to be run and watched. */
export interface WatchedStep {
  readonly run: () => Promise<unknown>;
  /** Whether a table, by its name, is one that the step may touch. */
  readonly isOwn: (table: string) => boolean;
  /** Whether there are rows to be kept from it: on the first start there are none yet. */
  readonly holdsData: boolean;
}

/**
 * Runs a step and names the tables of others that it created, changed or dropped, with all that belongs to them (columns,
 * constraints, indexes, triggers), or wrote into. Throws what the step throws.
 */
export type ForeignChanges = (trx: Transaction, step: WatchedStep) => Promise<readonly string[]>;

/** Tells the tables of a plugin from those of others, also where the id of one begins with that of another. */
export function ownTables(plugin: string, all: readonly string[]): (table: string) => boolean {
  const prefix = tablePrefix(plugin);
  const longer = all.map(tablePrefix).filter((other) => other !== prefix && other.startsWith(prefix));
  return (table) => table.startsWith(prefix) && !longer.some((other) => table.startsWith(other));
}

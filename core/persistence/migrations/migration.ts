import type { Engine, Transaction } from '../database.ts';

/** One step of a plugin's tables. Never edited after a release; a change is a new step, and the start refuses an edited one. */
export interface Migration {
  /** Without extension, in order: `0001_algorithms`. */
  readonly name: string;
  /**
   * Runs in a transaction of its own and touches nothing else: to tell whether it was edited, it is run again at each start
   * on a transaction without a database, whose answers are empty. Tables are `<plugin>_<plural>`, hyphens as underscores.
   */
  readonly up: (trx: Transaction, engine: Engine) => Promise<void>;
}

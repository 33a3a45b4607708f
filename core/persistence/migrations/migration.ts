import type { Engine, Transaction } from '../database.ts';

/** One step of a plugin's tables. It runs once, and is never edited after a release: a change is a new step. */
export interface Migration {
  /** Without extension, in order: `0001_tables`. */
  readonly name: string;
  /** Runs in a transaction of its own and must use only that. Tables are `<plugin>_<plural>`, hyphens as underscores. */
  readonly up: (trx: Transaction, engine: Engine) => Promise<void>;
}

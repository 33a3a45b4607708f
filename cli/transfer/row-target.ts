import { StartupError } from '../../core/errors/startup-error.ts';
import type { Engine } from '../../core/persistence/database.ts';
import type { Row } from './cell.ts';
import type { StoredTable } from './stored-table.ts';
import type { Transfer } from '../../core/persistence/migrations/unfinished-transfer.ts';

/** How far a table is loaded. */
export interface TableProgress {
  /** In JSON, the key of the last loaded row; `undefined` when nothing is, or the table has no key. */
  readonly after?: readonly unknown[] | undefined;
  readonly rows: number;
  readonly isDone: boolean;
}

/** A database into which another one is loaded. What it has loaded survives the end of the process. */
export interface RowTarget {
  readonly engine: Engine;
  readonly description: string;
  /** The transfer that was begun and not finished. */
  unfinished(): Promise<Transfer | undefined>;
  /** Whether Vitrine has tables here. */
  hasTables(): Promise<boolean>;
  /** Marks the database as loaded in part. */
  begin(transfer: Transfer): Promise<void>;
  /** Called when the tables exist, before the first row: removes what would slow the load or depend on its order. */
  prepare(): Promise<void>;
  tables(): Promise<readonly StoredTable[]>;
  progress(table: StoredTable): Promise<TableProgress | undefined>;
  /** Empties a table, to be loaded from its beginning. */
  clear(table: StoredTable): Promise<void>;
  /** Inserts rows in the order of the columns and keeps how far the table is, in one transaction. */
  insert(table: StoredTable, rows: readonly Row[], progress: TableProgress): Promise<void>;
  /** Puts back what `prepare` removed and checks it. */
  complete(): Promise<void>;
  /** Removes the mark: the database is whole. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** The message of a failed insert, with the place in the table. */
export function insertFailure({ name }: StoredTable, { rows }: TableProgress, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartupError(
    `The rows of ${name} up to number ${rows} cannot be stored: ${reason}. When that is mended, run the same command again: it goes on where it was.`,
    [],
    { cause: error },
  );
}

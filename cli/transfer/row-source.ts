import { StartupError } from '../../core/errors/startup-error.ts';
import { quoted } from '../../core/persistence/batch-sql.ts';
import type { Engine } from '../../core/persistence/database.ts';
import type { Row } from './cell.ts';
import type { AppliedSteps, StoredTable } from './stored-table.ts';

/** The keys of the first and the last row of a table, in the order of the engine. */
export interface KeyRange {
  readonly first: Row;
  readonly last: Row;
}

/** A database that is read as it was at one moment, on a connection of its own, while others may write. */
export interface RowSource {
  readonly engine: Engine;
  /** Engine and location, without credentials. */
  readonly description: string;
  readonly tables: readonly StoredTable[];
  /** Tables that belong to no plugin. */
  readonly foreign: readonly string[];
  readonly applied: readonly AppliedSteps[];
  /** Whether it is itself loaded in part only. */
  readonly isUnfinished: boolean;
  count(table: StoredTable): Promise<number>;
  /** `undefined` for a table without rows or without a primary key. */
  range(table: StoredTable): Promise<KeyRange | undefined>;
  /** Rows in batches of bounded size, in the order of the key; with `after`, those behind the row with that key. */
  rows(table: StoredTable, after?: Row): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** Throws `StartupError` for a database without tables of Vitrine, and for one that is loaded in part only. */
export function refuseUnfit({ applied, description, isUnfinished }: RowSource): void {
  if (applied.length === 0) {
    throw new StartupError(
      `The database (${description}) has no tables of Vitrine. Correct its URL or DATA_DIR.`,
    );
  }
  if (isUnfinished) {
    throw new StartupError(
      `The database (${description}) holds only a part of the data, because \`vitrine restore\` or \`vitrine move\` into it has not ended. Run that command again first.`,
    );
  }
}

/** The most rows of a batch, and the bytes after which it ends. */
export const BATCH = { rows: 500, bytes: 4_000_000 };

/** Statements that both engines understand; `?` stands for values. */
export interface TableSql {
  readonly count: string;
  readonly first: string;
  readonly last: string;
  readonly rows: string;
  readonly rowsAfter: string;
}

/** The statements that read a table, in the order of its columns. */
export function tableSql({ name, columns, key }: StoredTable): TableSql {
  const from = `FROM ${quoted(name)}`;
  const keys = key.map(quoted);
  const order = (direction: string): string =>
    keys.length === 0 ? '' : ` ORDER BY ${keys.map((one) => `${one} ${direction}`).join(', ')}`;
  const all = `SELECT ${columns.map((column) => quoted(column.name)).join(', ')} ${from}`;
  const behind = `(${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})`;
  return {
    count: `SELECT count(*) ${from}`,
    first: `SELECT ${keys.join(', ')} ${from}${order('ASC')} LIMIT 1`,
    last: `SELECT ${keys.join(', ')} ${from}${order('DESC')} LIMIT 1`,
    rows: `${all}${order('ASC')}`,
    rowsAfter: `${all} WHERE ${behind}${order('ASC')}`,
  };
}

import type { Knex } from 'knex';
import { token } from '../di/token.ts';

/** Which database an installation runs on. */
export type Engine = 'sqlite' | 'postgres';
/** A transaction under way, from `Database.transaction`. */
export type Transaction = Knex.Transaction;
/** What a query may run on. Inside a transaction always pass the transaction: SQLite has one connection. */
export type Connection = Knex | Knex.Transaction;

/** A value of a column; booleans are 0 and 1. */
export type SqlValue = string | number | null;
/** The type of a column in a batch, used to build its statement. */
export type ColumnType = 'text' | 'integer' | 'real' | 'boolean';

/** Rows for one table, written by the statement that suits the engine best. */
export interface BatchInsert {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** In the order of `columns`. No two rows of one batch may have the same conflict key. */
  readonly rows: readonly (readonly SqlValue[])[];
  readonly onConflict?: {
    readonly key: readonly string[];
    /** Columns to which the new value is added. */
    readonly add?: readonly string[];
    /** Columns that take the new value. */
    readonly set?: readonly string[];
    /** Columns that take the new value when it is higher. */
    readonly max?: readonly string[];
  };
}

/** An `UPDATE`, `DELETE` or `INSERT … SELECT` written by hand: `?` for values, the same text every time. */
export interface BatchChange {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A hand-written, read-only statement for the hot path: prepared once, with `?` for values. */
export interface PreparedRead<Row> {
  all(...values: SqlValue[]): Promise<Row[]>;
  first(...values: SqlValue[]): Promise<Row | undefined>;
}

/** How PostgreSQL plans a prepared read; SQLite has one way. */
export interface ReadOptions {
  /**
   * Plans for the values of each use instead of once for all values: worth its time where they decide how many rows are
   * read, such as two bounds of a range.
   */
  readonly plansEachUse?: boolean;
}

/** The one database of the installation. */
export interface Database {
  readonly engine: Engine;
  /**
   * For Objection models and queries off the hot path. Every query, in a transaction or not, fails with a
   * `ConstraintViolation`, with `StoreUnavailable`, with `UnfitDatabase`, or with `ValidationFailed` for text that cannot
   * be stored.
   */
  readonly knex: Knex;
  /** Runs work in one transaction; commits when it resolves, rolls back when it throws. SQLite runs one at a time. */
  transaction<T>(work: (trx: Transaction) => PromiseLike<T>): Promise<T>;
  /** Prepares a read that bypasses the query builder and sees what is committed. */
  read<Row>(sql: string, options?: ReadOptions): PreparedRead<Row>;
  /**
   * Writes everything in one transaction, first the rows and then the changes, and resolves when it is durable (SQLite:
   * WAL, synchronous=FULL; PostgreSQL: synchronous_commit=on). Throws `StoreUnavailable` when the database does not
   * answer; nothing is written then, unless the connection broke during the commit: writing the same rows again then
   * throws `UniqueViolation` where they have a key.
   */
  write(batch: readonly BatchInsert[], changes?: readonly BatchChange[]): Promise<void>;
  /** Throws `StoreUnavailable` when the database does not answer. */
  ping(): Promise<void>;
  /** Bytes that the database takes. PostgreSQL looks at each file for it. */
  size(): Promise<number>;
}

/** The database of the installation. */
export const DATABASE = token<Database>('core:database');

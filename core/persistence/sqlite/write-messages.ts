import type { BatchChange, BatchInsert } from '../database.ts';

/** What the write worker is started with. */
export interface WriterOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** Rows for one statement. The description of their table is omitted, because it would be copied with each message. */
export interface RowInsert {
  readonly sql: string;
  readonly rows: BatchInsert['rows'];
}

/** Writes everything in one transaction. */
export interface WriteOrder {
  readonly kind: 'write';
  readonly inserts: readonly RowInsert[];
  readonly changes: readonly BatchChange[];
}

/** `poll`: checks whether another connection has written since the last one. `checkpoint`: copies the log into the file as far as no reader or writer blocks it. */
export type Order = WriteOrder | { readonly kind: 'poll' } | { readonly kind: 'checkpoint' };

/** The size of the write-ahead log, in pages of 4 KiB. */
export interface LogSize {
  readonly pages: number;
  /** Pages that are copied into the database file. */
  readonly copied: number;
}

/** The answer to an order, sent when it is carried out: a write is durable then. */
export interface WriteAnswer {
  readonly isChanged?: boolean;
  /** Set after a checkpoint, and after a write if it could be determined. */
  readonly log?: LogSize | undefined;
}

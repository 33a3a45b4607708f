import type { BatchChange, BatchInsert } from '../database.ts';

/** What the write worker is started with. */
export interface WriterOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** Rows for one statement. What describes their table stays behind: it would be copied with each message. */
export interface RowInsert {
  readonly sql: string;
  readonly rows: BatchInsert['rows'];
}

/** Write this in one transaction. */
export interface WriteOrder {
  readonly kind: 'write';
  readonly inserts: readonly RowInsert[];
  readonly changes: readonly BatchChange[];
}

/** `look`: has another connection written since the last look? `checkpoint`: copy the log into the file as far as no reader or writer is in the way. */
export type Order = WriteOrder | { readonly kind: 'look' } | { readonly kind: 'checkpoint' };

/** The write-ahead log, in pages of 4 KiB. */
export interface LogSize {
  readonly pages: number;
  /** How many of them are in the database file too. */
  readonly copied: number;
}

/** It is durable, or copied, or what was seen. */
export interface WriteAnswer {
  readonly isChanged?: boolean;
  /** After a checkpoint, and after a write where it could be told. */
  readonly log?: LogSize | undefined;
}

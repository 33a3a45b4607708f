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

/** To the worker: write this in one transaction. */
export interface WriteOrder {
  readonly id: number;
  readonly inserts: readonly RowInsert[];
  readonly changes: readonly BatchChange[];
}

/** To the worker: has anybody else written since the last look? */
export interface LookOrder {
  readonly id: number;
}

/** From the worker: it is durable, or what was seen; or why not. */
export interface WriteReport {
  readonly id: number;
  readonly isChanged?: boolean;
  readonly failure?: { readonly code: string; readonly message: string };
}

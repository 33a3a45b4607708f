import type { BatchChange, BatchInsert } from '../database.ts';

/** What the write worker is started with. */
export interface WriterOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** To the worker: write this in one transaction. */
export interface WriteOrder {
  readonly id: number;
  readonly batch: readonly BatchInsert[];
  readonly changes: readonly BatchChange[];
}

/** From the worker: it is durable, or why it is not. */
export interface WriteReport {
  readonly id: number;
  readonly failure?: { readonly code: string; readonly message: string };
}

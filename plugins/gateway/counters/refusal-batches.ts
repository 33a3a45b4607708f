import type { BatchChange, BatchInsert } from '../../../core/index.ts';

const COLUMNS = { writer: 'text', number: 'integer', stored_at: 'integer' } as const;
/** Of a process that is gone. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const FORGET = 'DELETE FROM gateway_refusal_batches WHERE (writer = ? AND number < ?) OR stored_at < ?';

/** Whose batch it is, and which of them. */
export interface BatchName {
  readonly writer: string;
  readonly number: number;
}

/** Marks a batch as stored, in the write that stores it: writing it again is a `UniqueViolation`. */
export function markBatch({ writer, number }: BatchName, now: number): BatchInsert {
  return { table: 'gateway_refusal_batches', columns: COLUMNS, rows: [[writer, number, now]] };
}

/** Forgets the marks of the batches before this one, which nobody will write again. */
export function forgetBatchesBefore({ writer, number }: BatchName, now: number): BatchChange {
  return { sql: FORGET, values: [writer, number, now - KEPT_MS] };
}

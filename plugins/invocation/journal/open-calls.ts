import type { BatchChange, Engine } from '../../../core/index.ts';
import { callColumns, callInsert, type CallRow } from '../recording/call-row.ts';
import { amongIds, listOfIds } from '../reading/id-lists.ts';

/** The columns of a call that has not ended. */
export const OPEN_CALL_COLUMNS = callColumns.join(', ');

/** What is said of a call whose process died: the endpoint may have been asked, and may have done its work. */
const INTERRUPTED =
  'The instance that made the call died before the call ended. Nobody knows whether the endpoint did its work.';

/** The calls as rows of those that have not ended, under the instance that makes them. */
export function openInsert(calls: readonly CallRow[], instance: string) {
  const { columns, rows } = callInsert(calls);
  return {
    table: 'invocation_open_calls',
    columns: { ...columns, instance: 'text' },
    rows: rows.map((row) => [...row, instance]),
  } as const;
}

/** Takes calls from those that have not ended; for the transaction that stores how they ended. */
export function closing(engine: Engine, ids: readonly string[]): BatchChange {
  return {
    sql: `DELETE FROM invocation_open_calls WHERE id ${amongIds[engine]}`,
    values: [listOfIds(engine, ids)],
  };
}

/** Changes nothing, and fails while no call could be written before it ends. */
export function openCallsProbe(engine: Engine): readonly BatchChange[] {
  const columns = `${OPEN_CALL_COLUMNS}, instance`;
  const sql = `INSERT INTO invocation_open_calls (${columns}) SELECT ${columns} FROM invocation_open_calls WHERE id = ?`;
  return [{ sql, values: [''] }, closing(engine, [])];
}

/** How a call ended that nobody will end any more. */
export function interrupted(call: CallRow, now: number): CallRow {
  return {
    ...call,
    status: 'failed',
    error_code: 'interrupted',
    error_message: INTERRUPTED,
    updated_at: Math.max(call.created_at, now),
  };
}

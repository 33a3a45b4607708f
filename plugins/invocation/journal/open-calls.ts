import type { Engine } from '../../../core/index.ts';
import { callColumns, callInsert, type CallRow } from '../recording/call-row.ts';
import { amongIds, listOfIds } from '../reading/id-lists.ts';

/** The columns of an open call, which has begun and not ended. */
export const OPEN_CALL_COLUMNS = callColumns.join(', ');

const INTERRUPTED =
  'The instance that made the call died before the call ended. The endpoint may have done its work.';

/** The insert of open calls, with the instance that makes them. */
export function openInsert(calls: readonly CallRow[], instance: string) {
  const { columns, rows } = callInsert(calls);
  return {
    table: 'invocation_open_calls',
    columns: { ...columns, instance: 'text' },
    rows: rows.map((row) => [...row, instance]),
  } as const;
}

/** The statement that deletes open calls in the transaction that stores their records. */
export function closing(engine: Engine, ids: readonly string[]) {
  return {
    sql: `DELETE FROM invocation_open_calls WHERE id ${amongIds[engine]}`,
    values: [listOfIds(engine, ids)],
  };
}

/** The record of an open call whose process died. */
export function interrupted(call: CallRow, now: number): CallRow {
  return {
    ...call,
    status: 'failed',
    error_code: 'interrupted',
    error_message: INTERRUPTED,
    updated_at: Math.max(call.created_at, now),
  };
}

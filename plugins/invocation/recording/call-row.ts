import { isoTime, type BatchInsert, type ColumnType, type SqlValue } from '../../../core/index.ts';
import type { CallEntry, CallErrorCode, CallRecord, CallStatus, FinishedCall } from '../contract.ts';

/** A record as its table holds it: JSON as text, times in milliseconds, `response_time` in seconds. */
export interface CallRow {
  readonly id: string;
  readonly user_id: string;
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly door: string;
  readonly status: CallStatus;
  readonly error_code: CallErrorCode | null;
  readonly error_message: string | null;
  /** Null in a record whose payload was thrown away; an absent output is null as well. */
  readonly input_data: string | null;
  readonly params: string | null;
  readonly output_data: string | null;
  readonly response_time: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly request_id: string;
  /** What is kept no longer, by field, as JSON text; null or absent when everything is kept. */
  readonly payload?: string | null;
}

const columns = {
  id: 'text',
  user_id: 'text',
  algorithm_id: 'text',
  version_id: 'text',
  door: 'text',
  status: 'text',
  error_code: 'text',
  error_message: 'text',
  input_data: 'text',
  params: 'text',
  output_data: 'text',
  response_time: 'real',
  created_at: 'integer',
  updated_at: 'integer',
  request_id: 'text',
  payload: 'text',
} as const satisfies Record<keyof CallRow, ColumnType>;

/** The columns of the table. */
export const callColumns: readonly string[] = Object.keys(columns);

/** The ids of the records, for the log. */
export function idsOf(calls: readonly CallRow[]): readonly string[] {
  return calls.map(({ id }) => id);
}

/** The records as rows to write. Writing one twice is a `UniqueViolation`. */
export function callInsert(calls: readonly CallRow[]): BatchInsert {
  return { table: 'invocation_calls', columns, rows: calls.map(valuesOf) };
}

/** In the order of `columns`. */
function valuesOf(call: CallRow): SqlValue[] {
  return [
    call.id,
    call.user_id,
    call.algorithm_id,
    call.version_id,
    call.door,
    call.status,
    call.error_code,
    call.error_message,
    call.input_data,
    call.params,
    call.output_data,
    call.response_time,
    call.created_at,
    call.updated_at,
    call.request_id,
    call.payload ?? null,
  ];
}

/** The record as the API shows it, without parsing what is JSON already. V8 would remember the text of a bare number. */
export function jsonOf(call: CallRow): string {
  const code = call.error_code === null ? 'null' : `"${call.error_code}"`;
  const message = call.error_message === null ? 'null' : JSON.stringify(call.error_message);
  const reduced = call.payload ? `,"payload":${call.payload}` : '';
  return (
    `{"id":"${call.id}","status":"${call.status}","user_id":"${call.user_id}",` +
    `"algorithm_id":"${call.algorithm_id}","version_id":"${call.version_id}",` +
    `"input_data":${call.input_data ?? 'null'},"params":${call.params ?? 'null'},"output_data":${call.output_data ?? 'null'},` +
    `"response_time":${JSON.stringify(call.response_time)},"error_message":${message},"error_code":${code},` +
    `"created_at":"${isoTime(call.created_at)}","updated_at":"${isoTime(call.updated_at)}"${reduced}}`
  );
}

export function entryOf(call: CallRow): CallEntry {
  return { id: call.id, user_id: call.user_id, json: jsonOf(call) };
}

export function recordOf(call: CallRow): CallRecord {
  return JSON.parse(jsonOf(call)) as CallRecord;
}

/** The record as those see it who join its transaction. */
export function finishedOf(call: CallRow): FinishedCall {
  return {
    id: call.id,
    door: call.door as FinishedCall['door'],
    status: call.status as FinishedCall['status'],
    errorCode: call.error_code,
    userId: call.user_id,
    algorithmId: call.algorithm_id,
    versionId: call.version_id,
    seconds: call.response_time,
    createdAt: call.created_at,
  };
}

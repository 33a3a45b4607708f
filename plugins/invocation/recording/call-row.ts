import { isoTime, timeOfId, type BatchInsert } from '../../../core/index.ts';
import type {
  CallEntry,
  CallOutcome,
  CallRecord,
  CallStatus,
  FinishedCall,
  PreparedCall,
} from '../contract.ts';

/** A row of the table: JSON as text, times in milliseconds since 1970, `response_time` in seconds. */
export interface CallRow extends Omit<FinishedCall, 'status'> {
  readonly status: CallStatus;
  readonly error_message: string | null;
  /** Seconds; null or absent when the endpoint named no time. */
  readonly retry_after?: number | null;
  /** Null when the payload was deleted. */
  readonly input_data: string | null;
  readonly params: string | null;
  readonly output_data: string | null;
  readonly updated_at: number;
  readonly request_id: string;
  /** The JSON text of a `PayloadNote`: which fields were changed. Null or absent when the record has everything. */
  readonly payload?: string | null;
}

const columns = {
  id: 'text',
  user_id: 'text',
  algorithm_id: 'text',
  version_id: 'text',
  channel: 'text',
  status: 'text',
  error_code: 'text',
  error_message: 'text',
  retry_after: 'integer',
  input_data: 'text',
  params: 'text',
  output_data: 'text',
  response_time: 'real',
  created_at: 'integer',
  updated_at: 'integer',
  request_id: 'text',
  payload: 'text',
} as const satisfies Record<keyof CallRow, BatchInsert['columns'][string]>;

const names = Object.keys(columns) as (keyof CallRow)[];

/** The columns of the table. */
export const callColumns: readonly string[] = names;

/** The insert of records. Inserting one twice is a `UniqueViolation`. */
export function callInsert(calls: readonly CallRow[]): BatchInsert {
  return {
    table: 'invocation_calls',
    columns,
    rows: calls.map((call) => names.map((name) => call[name] ?? null)),
  };
}

/** The row of a call that ended. Its output is serialised once, for the table and for the answer. */
export function rowOf(call: PreparedCall, outcome: CallOutcome, now: number): CallRow {
  const output = outcome.ok ? jsonText(outcome.output) : null;
  if (outcome.ok && output === null) {
    const message = 'The endpoint answered what cannot be written as JSON.';
    return rowOf(call, { ok: false, code: 'upstream_bad_response', message, seconds: outcome.seconds }, now);
  }
  const createdAt = timeOfId(call.id);
  return {
    id: call.id,
    user_id: call.principal.userId,
    algorithm_id: call.callable.algorithm.id,
    version_id: call.callable.version.id,
    channel: call.context.channel,
    status: outcome.ok ? 'success' : 'failed',
    error_code: outcome.ok ? null : outcome.code,
    error_message: outcome.ok ? null : storable(outcome.message),
    retry_after: outcome.ok ? null : (outcome.retryAfter ?? null),
    input_data: call.json.input,
    params: call.request.params === undefined ? '{}' : JSON.stringify(call.request.params),
    output_data: output,
    response_time: toMicroseconds(outcome.seconds),
    created_at: createdAt,
    updated_at: Math.max(createdAt, now),
    request_id: call.context.requestId,
  };
}

/** The row of a call whose endpoint is about to be called. */
export function runningRowOf(call: PreparedCall): CallRow {
  const row = rowOf(call, { ok: true, output: {}, seconds: 0 }, 0);
  return { ...row, status: 'running', output_data: null };
}

/** The record as the JSON text of the API, made without parsing the JSON of the row. */
export function jsonOf(call: CallRow): string {
  const code = call.error_code === null ? 'null' : `"${call.error_code}"`;
  const message = call.error_message === null ? 'null' : JSON.stringify(call.error_message);
  const retry = typeof call.retry_after === 'number' ? `,"retry_after":${call.retry_after}` : '';
  const reduced = call.payload ? `,"payload":${call.payload}` : '';
  return (
    `{"id":"${call.id}","status":"${call.status}","user_id":"${call.user_id}",` +
    `"algorithm_id":"${call.algorithm_id}","version_id":"${call.version_id}",` +
    `"input_data":${call.input_data ?? 'null'},"params":${call.params ?? 'null'},"output_data":${call.output_data ?? 'null'},` +
    `"response_time":${JSON.stringify(call.response_time)},"error_message":${message},"error_code":${code}${retry},` +
    `"created_at":"${isoTime(call.created_at)}","updated_at":"${isoTime(call.updated_at)}",` +
    `"request_id":${JSON.stringify(call.request_id)}${reduced}}`
  );
}

/** The record with its owner, for answers that need no parsed record. */
export function entryOf(call: CallRow): CallEntry {
  return { id: call.id, user_id: call.user_id, algorithm_id: call.algorithm_id, json: jsonOf(call) };
}

/** The record as an object. */
export function recordOf(call: CallRow): CallRecord {
  return JSON.parse(jsonOf(call)) as CallRecord;
}

/** The call as record hooks see it, which must not see the payload. */
export function finishedOf(call: CallRow): FinishedCall {
  return {
    id: call.id,
    channel: call.channel,
    status: call.status as FinishedCall['status'],
    error_code: call.error_code,
    user_id: call.user_id,
    algorithm_id: call.algorithm_id,
    version_id: call.version_id,
    response_time: call.response_time,
    created_at: call.created_at,
  };
}

/** The ids of records. */
export function idsOf(calls: readonly Pick<CallRow, 'id'>[]): readonly string[] {
  return calls.map(({ id }) => id);
}

/** The number of payload characters in the record. */
export function payloadCharacters({ input_data, params, output_data }: CallRow): number {
  return (input_data?.length ?? 0) + (params?.length ?? 0) + (output_data?.length ?? 0);
}

/** The JSON text of a value; null when it has none. */
function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/** Rounds seconds to microseconds, the precision of the roll-ups. */
function toMicroseconds(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1e6)) / 1e6;
}

/** Replaces characters that one of the databases cannot store. */
function storable(message: string): string {
  return message.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

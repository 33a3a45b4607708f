import { timeOfId } from '../../../core/index.ts';
import type { CallRow } from './call-row.ts';
import type { PreparedCall } from '../contract.ts';
import type { OutcomeText } from '../calling/outcome-text.ts';

const NOTHING_YET: OutcomeText = { code: null, message: null, output: null, seconds: 0 };

/** The record of a call that ended. */
export function rowOf(call: PreparedCall, outcome: OutcomeText, now: number): CallRow {
  const createdAt = timeOfId(call.id);
  return {
    id: call.id,
    user_id: call.principal.userId,
    algorithm_id: call.callable.algorithm.id,
    version_id: call.callable.version.id,
    door: call.context.door,
    status: outcome.code === null ? 'success' : 'failed',
    error_code: outcome.code,
    error_message: outcome.message,
    input_data: call.json.input,
    params: call.request.params === undefined ? '{}' : JSON.stringify(call.request.params),
    output_data: outcome.output,
    response_time: outcome.seconds,
    created_at: createdAt,
    updated_at: Math.max(createdAt, now),
    request_id: call.context.requestId,
  };
}

/** The record of a call that is about to ask its endpoint. */
export function runningRowOf(call: PreparedCall): CallRow {
  return { ...rowOf(call, NOTHING_YET, 0), status: 'running' };
}

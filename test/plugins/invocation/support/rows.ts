import { newId, timeOfId } from '../../../../core/index.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';

/** The record of a call that succeeded, with some fields of the test's own. */
export function callRow(fields: Partial<CallRow> = {}): CallRow {
  const id = fields.id ?? newId();
  return {
    id,
    user_id: 'alice',
    algorithm_id: 'echo',
    version_id: 'v1',
    channel: 'direct',
    status: 'success',
    error_code: null,
    error_message: null,
    input_data: '{"n":1}',
    params: '{}',
    output_data: '{"n":2}',
    response_time: 0.25,
    created_at: timeOfId(id),
    updated_at: timeOfId(id) + 250,
    request_id: 'req',
    ...fields,
  };
}

import type { CallFilter, CallLog, CallRecord } from '../invocation/contract.ts';

/** Records that are read at once; fewer where they are large. */
const PAGE = 500;

/**
 * Pages of records in JSON, each read when it is asked for. Each continues after the last record of the one before, so the
 * last one is as fast as the first.
 */
export async function* pagesOf(calls: CallLog, filter: CallFilter): AsyncGenerator<readonly string[]> {
  for (let before: string | undefined; ;) {
    const { entries, isCut } = await calls.entries(filter, { skip: 0, limit: PAGE, before });
    if (entries.length > 0) yield entries.map(({ json }) => json);
    if (entries.length < PAGE && !isCut) return;
    before = entries.at(-1)!.id;
  }
}

/** The columns of the table. */
export const CALL_COLUMNS = [
  'id',
  'created_at',
  'status',
  'algorithm_id',
  'version_id',
  'response_time',
  'error_code',
  'error_message',
  'request_id',
  'input_data',
  'params',
  'output_data',
] as const satisfies readonly (keyof CallRecord)[];

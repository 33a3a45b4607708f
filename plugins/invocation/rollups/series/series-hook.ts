import type { FinishedCall, RecordHook } from '../../contract.ts';
import { binOf, beginOf } from './buckets.ts';
import { PENDING_SERIES } from './tables.ts';

type Row = [string, string, string, string, string, number, number, number, number];

/**
 * Adds calls to those that are folded into the series later. A row at the end of a small table costs a tenth of adding
 * to the minute, the hour and the day of its user and its algorithm, which are on pages of their own.
 */
export const seriesHook: RecordHook = {
  name: 'series',
  rowsFor: (calls) => [
    {
      table: PENDING_SERIES,
      columns: {
        user_id: 'text',
        algorithm_id: 'text',
        version_id: 'text',
        status: 'text',
        error_code: 'text',
        begins_at: 'integer',
        bin: 'integer',
        calls: 'integer',
        response_us: 'integer',
      },
      rows: merged(calls),
    },
  ],
};

function merged(calls: readonly FinishedCall[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const call of calls) {
    const { user_id, algorithm_id, version_id, status, error_code, response_time, created_at } = call;
    const [minute, bin] = [beginOf('minute', created_at), binOf(response_time)];
    const key = [user_id, algorithm_id, version_id, status, error_code ?? '', minute, bin] as const;
    const name = key.join('\u0000');
    const row = rows.get(name);
    const microseconds = Math.round(response_time * 1e6);
    if (row) {
      row[7] += 1;
      row[8] += microseconds;
    } else {
      rows.set(name, [...key, 1, microseconds]);
    }
  }
  return [...rows.values()];
}

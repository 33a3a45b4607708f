import type { Database, SqlValue } from '../../../../core/index.ts';
import type { BusiestCallers, SeriesQuery, SeriesRange } from '../../contract.ts';
import { ALL } from '../call-rollups.ts';
import { partsOf } from './buckets.ts';
import { CALLER_SERIES, PENDING_SERIES } from './tables.ts';

interface CallerRow {
  readonly user_id: string;
  readonly calls: number;
  readonly successes: number;
  readonly response_us: number;
}

/** Reads who called most in a range. */
export function createBusiestCallers(database: Pick<Database, 'read'>) {
  return async (query: SeriesQuery, range: SeriesRange, limit: number): Promise<BusiestCallers> => {
    const { start, end } = range;
    const { sql, values } = selectionOf(query, range);
    const rows = await database.read<CallerRow>(sql).all(...values, limit);
    return {
      start,
      end,
      callers: rows.map(({ user_id, calls, successes, response_us }) => ({
        userId: user_id,
        calls,
        successes,
        average: response_us / calls / 1e6,
      })),
    };
  };
}

function selectionOf(
  { bucket, algorithm_id, version_id, status }: SeriesQuery,
  { start, end }: SeriesRange,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const filters: readonly (readonly [string, SqlValue | undefined])[] = [
    ['algorithm_id', algorithm_id],
    ['version_id', version_id],
    ['status', status],
  ];
  const given = filters.filter(([, value]) => value !== undefined) as (readonly [string, SqlValue])[];
  const filtered = given.map(([name]) => ` AND ${name} = ?`).join('');
  const filterValues = given.map(([, value]) => value);
  const scope = algorithm_id === undefined ? ` AND algorithm_id = '${ALL}'` : '';
  const columns = 'SELECT user_id, status, calls, response_us FROM';
  const time = 'begins_at >= ? AND begins_at < ?';
  const parts = partsOf(bucket, start, end);
  const selections = [
    ...parts.map(
      (part) => `${columns} ${CALLER_SERIES} WHERE bucket = '${part.bucket}' AND ${time}${filtered}${scope}`,
    ),
    `${columns} ${PENDING_SERIES} WHERE ${time}${filtered}`,
  ];
  const values = [...parts, { start, end }].flatMap((part) => [part.start, part.end, ...filterValues]);
  const sql = `SELECT user_id, SUM(calls) AS calls, SUM(response_us) AS response_us,
      SUM(CASE WHEN status = 'success' THEN calls ELSE 0 END) AS successes
    FROM (${selections.join(' UNION ALL ')}) AS parts
    GROUP BY user_id ORDER BY calls DESC, user_id LIMIT ?`;
  return { sql, values };
}

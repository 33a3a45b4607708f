import { setImmediate } from 'node:timers/promises';
import type { Database, SqlValue } from '../../../../core/index.ts';
import type { BusiestCallers, SeriesQuery, SeriesRange } from '../../contract.ts';
import { SIZES } from './buckets.ts';
import { PENDING_SERIES, USER_SERIES } from './tables.ts';

interface CallerRow {
  readonly user_id: string;
  readonly calls: number;
  readonly successes: number;
  readonly response_us: number;
}

/** Reads who called most in a range, a point at a time: SQLite reads on the main thread, where requests wait meanwhile. */
export function createBusiestCallers(database: Pick<Database, 'read'>) {
  return async (
    query: SeriesQuery,
    { start, end, begins }: SeriesRange,
    limit: number,
  ): Promise<BusiestCallers> => {
    const sums = new Map<string, CallerRow>();
    for (const begin of begins) {
      const { sql, values } = selectionOf(query, begin);
      for (const row of await database.read<CallerRow>(sql).all(...values)) {
        sums.set(row.user_id, added(row, sums.get(row.user_id)));
      }
      await setImmediate();
    }
    const busiest = [...sums.values()].toSorted(
      (one, other) => other.calls - one.calls || (one.user_id < other.user_id ? -1 : 1),
    );
    return {
      start,
      end,
      callers: busiest.slice(0, limit).map(({ user_id, calls, successes, response_us }) => ({
        userId: user_id,
        calls,
        successes,
        average: response_us / calls / 1e6,
      })),
    };
  };
}

function added(row: CallerRow, sum: CallerRow | undefined): CallerRow {
  if (!sum) return row;
  return {
    user_id: row.user_id,
    calls: sum.calls + row.calls,
    successes: sum.successes + row.successes,
    response_us: sum.response_us + row.response_us,
  };
}

/** What is folded and what is not yet, in a single statement: a fold between two would be counted twice or not at all. */
function selectionOf(
  { bucket, algorithm_id, version_id, status }: SeriesQuery,
  begin: number,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const filters: readonly (readonly [string, SqlValue | undefined])[] = [
    ['algorithm_id', algorithm_id],
    ['version_id', version_id],
    ['status', status],
  ];
  const given = filters.filter(([, value]) => value !== undefined) as (readonly [string, SqlValue])[];
  const time = `begins_at >= ? AND begins_at < ?${given.map(([name]) => ` AND ${name} = ?`).join('')}`;
  const columns = 'SELECT user_id, status, calls, response_us FROM';
  const values = [begin, begin + SIZES[bucket], ...given.map(([, value]) => value)];
  const sql = `SELECT user_id, SUM(calls) AS calls, SUM(response_us) AS response_us,
      SUM(CASE WHEN status = 'success' THEN calls ELSE 0 END) AS successes
    FROM (
      ${columns} ${USER_SERIES} WHERE bucket = '${bucket}' AND ${time}
      UNION ALL
      ${columns} ${PENDING_SERIES} WHERE ${time}
    ) AS parts GROUP BY user_id`;
  return { sql, values: [...values, ...values] };
}

import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../../../core/index.ts';
import type { BusiestCallers, SeriesQuery, SeriesRange } from '../../contract.ts';
import { where, type Condition } from '../../reading/call-condition.ts';
import { ALL } from '../call-rollups.ts';
import { partsOf, SIZES, type Part } from './buckets.ts';
import { CALLER_SERIES, PENDING_SERIES } from './tables.ts';

interface CallerRow {
  readonly user_id: string;
  readonly calls: number;
  readonly successes: number;
  readonly response_us: number;
}

/** How many points one read adds up. SQLite reads on the main thread, where requests wait meanwhile. */
const POINTS_AT_ONCE = 10;

/** Reads who called most in a range. */
export function createBusiestCallers(database: Pick<Database, 'read'>) {
  return async (query: SeriesQuery, { start, end }: SeriesRange, limit: number): Promise<BusiestCallers> => {
    const sums = new Map<string, CallerRow>();
    for (const slice of partsOf(query.bucket, start, end).flatMap(slicesOf)) {
      const { sql, values } = selectionOf(query, slice);
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

function slicesOf({ bucket, start, end }: Part): readonly Part[] {
  const length = POINTS_AT_ONCE * SIZES[bucket];
  return Array.from({ length: Math.ceil((end - start) / length) }, (_, index) => {
    const begin = start + index * length;
    return { bucket, start: begin, end: Math.min(begin + length, end) };
  });
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
  { algorithm_id, version_id, status }: SeriesQuery,
  { bucket, start, end }: Part,
): Condition {
  const pending = where([
    ['begins_at >= ?', start],
    ['begins_at < ?', end],
    ['algorithm_id = ?', algorithm_id],
    ['version_id = ?', version_id],
    ['status = ?', status],
  ]);
  const scope = algorithm_id === undefined ? ` AND algorithm_id = '${ALL}'` : '';
  const columns = 'SELECT user_id, status, calls, response_us FROM';
  const sql = `SELECT user_id, SUM(calls) AS calls, SUM(response_us) AS response_us,
      SUM(CASE WHEN status = 'success' THEN calls ELSE 0 END) AS successes
    FROM (
      ${columns} ${CALLER_SERIES}${pending.sql} AND bucket = '${bucket}'${scope}
      UNION ALL
      ${columns} ${PENDING_SERIES}${pending.sql}
    ) AS parts GROUP BY user_id`;
  return { sql, values: [...pending.values, ...pending.values] };
}

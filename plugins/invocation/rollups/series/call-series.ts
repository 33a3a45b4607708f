import { isoTime, ValidationFailed, type Clock, type Database } from '../../../../core/index.ts';
import type { CallFigures, CallSeries, SeriesQuery, SeriesRange } from '../../contract.ts';
import { where, type Condition } from '../../reading/call-condition.ts';
import { ALL } from '../call-rollups.ts';
import { percentiles, type Bin, seriesRange } from './buckets.ts';
import { createBusiestCallers } from './busiest-callers.ts';
import { ALGORITHM_SERIES, beginSql, PENDING_SERIES, USER_SERIES } from './tables.ts';

interface SeriesRow extends Bin {
  readonly begins_at: number;
  readonly status: string;
  readonly error_code: string;
}

/** Reads the series, and what is not folded into them yet. */
export function createCallSeries({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
}): CallSeries {
  const callers = createBusiestCallers(database);
  const rangeOf = (query: SeriesQuery): SeriesRange => {
    demandAlgorithm(query);
    return seriesRange(query, clock.now());
  };
  return {
    callers: async (query, limit) => callers(query, rangeOf(query), limit),
    of: async (userId, query) => {
      const range = rangeOf(query);
      const { sql, values } = selectionOf(userId, query, range);
      const rows = await database.read<SeriesRow>(sql).all(...values);
      const byBegin = grouped(rows);
      return {
        bucket: query.bucket,
        start: isoTime(range.start),
        end: isoTime(range.end),
        points: range.begins.map((begin) => ({ at: isoTime(begin), ...figuresOf(byBegin.get(begin) ?? []) })),
        total: figuresOf(rows),
      };
    },
  };
}

function demandAlgorithm({ version_id, algorithm_id }: SeriesQuery): void {
  if (version_id === undefined || algorithm_id !== undefined) return;
  const message = 'needs algorithm_id, the algorithm of the version.';
  throw ValidationFailed('The series cannot be made.', {
    errors: [{ pointer: '/query/version_id', message }],
  });
}

function selectionOf(userId: string | undefined, query: SeriesQuery, { start, end }: SeriesRange): Condition {
  const { bucket, algorithm_id, version_id, status } = query;
  const isOfUser = userId !== undefined;
  const pending = where([
    ['begins_at >= ?', start],
    ['begins_at < ?', end],
    ['user_id = ?', userId],
    ['algorithm_id = ?', algorithm_id],
    ['version_id = ?', version_id],
    ['status = ?', status],
  ]);
  // The rows of all algorithms together have an empty one.
  const scope = isOfUser || algorithm_id !== undefined ? '' : ` AND algorithm_id = '${ALL}'`;
  const sql = `SELECT begins_at, status, error_code, bin, SUM(calls) AS calls, SUM(response_us) AS response_us FROM (
      SELECT begins_at, status, error_code, bin, calls, response_us
      FROM ${isOfUser ? USER_SERIES : ALGORITHM_SERIES}${pending.sql} AND bucket = '${bucket}'${scope}
      UNION ALL
      SELECT ${beginSql(bucket)}, status, error_code, bin, calls, response_us FROM ${PENDING_SERIES}${pending.sql}
    ) AS parts GROUP BY begins_at, status, error_code, bin`;
  return { sql, values: [...pending.values, ...pending.values] };
}

function grouped(rows: readonly SeriesRow[]): ReadonlyMap<number, readonly SeriesRow[]> {
  const groups = new Map<number, SeriesRow[]>();
  for (const row of rows) {
    const group = groups.get(row.begins_at);
    if (group) group.push(row);
    else groups.set(row.begins_at, [row]);
  }
  return groups;
}

function figuresOf(rows: readonly SeriesRow[]): CallFigures {
  const countOf = (status: string): number =>
    rows.reduce((sum, row) => (row.status === status ? sum + row.calls : sum), 0);
  const [p50, p95] = percentiles(rows, [0.5, 0.95]);
  const total = rows.reduce((sum, { calls }) => sum + calls, 0);
  const microseconds = rows.reduce((sum, { response_us }) => sum + response_us, 0);
  return {
    success: countOf('success'),
    failed: countOf('failed'),
    p50: toMicroseconds(p50!),
    p95: toMicroseconds(p95!),
    average: total > 0 ? toMicroseconds(microseconds / total / 1e6) : null,
    ...errorsOf(rows),
  };
}

function errorsOf(rows: readonly SeriesRow[]): Pick<CallFigures, 'errors'> {
  const errors = new Map<string, number>();
  for (const { error_code: code, calls } of rows) {
    if (code !== '') errors.set(code, (errors.get(code) ?? 0) + calls);
  }
  return errors.size > 0 ? { errors: Object.fromEntries(errors) } : {};
}

/** Seconds with six decimals, the precision of a record. */
function toMicroseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1e6) / 1e6;
}

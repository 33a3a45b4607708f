import { DAY_MS, type Database } from '../../../core/index.ts';
import { ALL_TIME, totalsOf, type Days } from './kept-calls.ts';
import { ALGORITHM_SERIES, PENDING_SERIES } from './series/tables.ts';
import type { CallScope, CallStatistics, CallTotals } from '../contract.ts';

interface SumRow {
  readonly status: string;
  readonly calls: number;
  readonly response_us: number;
}

/** Reads the roll-ups of calls. */
export function createCallStatistics(database: Database): CallStatistics {
  const totals = async (scope: CallScope, days: Days): Promise<CallTotals> => {
    const { sql, values } = totalsOf(scope, days);
    const sums = `SELECT status, SUM(calls) AS calls, SUM(response_us) AS response_us FROM ${sql} GROUP BY status`;
    return added(await database.read<SumRow>(sums).all(...values));
  };
  return {
    totals: (scope) => totals(scope, ALL_TIME),
    between: (scope, from, to) => totals(scope, { from, to }),
    byAlgorithm: createAlgorithmTotals(database),
    errors: createErrorCounts(database),
  };
}

function createAlgorithmTotals(database: Database): CallStatistics['byAlgorithm'] {
  interface Row {
    readonly algorithm_id: string;
    readonly calls: number;
    readonly successes: number;
    readonly response_us: number;
  }
  const sums = database.read<Row>(
    `SELECT algorithm_id, SUM(calls) AS calls, SUM(response_us) AS response_us,
       SUM(CASE WHEN status = 'success' THEN calls ELSE 0 END) AS successes
     FROM invocation_user_totals WHERE user_id = ? AND day BETWEEN ? AND ?
     GROUP BY algorithm_id ORDER BY calls DESC, algorithm_id LIMIT ?`,
  );
  return async (userId, limit, { from, to } = ALL_TIME) => {
    const rows = await sums.all(userId, from, to, limit);
    return rows.map(({ algorithm_id, calls, successes, response_us }) => ({
      algorithm_id,
      total_calls: calls,
      success_calls: successes,
      total_response_time: response_us / 1e6,
    }));
  };
}

/** Reads error codes from the series of days, and from what is not folded into it yet. */
function createErrorCounts(database: Database): CallStatistics['errors'] {
  const within = 'algorithm_id = ? AND begins_at >= ? AND begins_at < ?';
  const sums = database.read<{ readonly error_code: string; readonly calls: number }>(
    `SELECT error_code, SUM(calls) AS calls FROM (
       SELECT error_code, calls FROM ${ALGORITHM_SERIES} WHERE bucket = 'day' AND ${within}
       UNION ALL
       SELECT error_code, calls FROM ${PENDING_SERIES} WHERE ${within}
     ) AS parts WHERE error_code <> '' GROUP BY error_code ORDER BY error_code`,
  );
  return async (algorithmId, from, to) => {
    const values = [algorithmId, Date.parse(from), Date.parse(to) + DAY_MS];
    const rows = await sums.all(...values, ...values);
    return Object.fromEntries(rows.map(({ error_code, calls }) => [error_code, calls]));
  };
}

function added(rows: readonly SumRow[]): CallTotals {
  return {
    total_calls: rows.reduce((sum, row) => sum + row.calls, 0),
    status_counts: Object.fromEntries(rows.map((row) => [row.status, row.calls])),
    total_response_time: rows.reduce((sum, row) => sum + row.response_us, 0) / 1e6,
  };
}

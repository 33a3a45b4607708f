/** Beside those of the writers of calls, so that nobody waits for anybody's rows. */
const SHARD = -1;

/**
 * Statements that count what is thrown away, in the transaction that does it and before it happens. `source` selects
 * `user_id`, `day`, `algorithm_id`, `status` and how many `calls` of them go; both statements take its values. It may read
 * the roll-ups of users, which are the last to change.
 */
export function countGone(source: string): readonly [ofAlgorithms: string, ofUsers: string] {
  const into = (table: string, key: string, parts: readonly string[]): string =>
    `WITH gone AS (${source})
     INSERT INTO ${table} (${key}, shard, calls, response_us, gone)
     SELECT ${key}, ${SHARD}, 0, 0, SUM(calls) FROM (${parts.join(' UNION ALL ')}) AS parts GROUP BY ${key}
     ON CONFLICT (${key}, shard) DO UPDATE SET gone = ${table}.gone + excluded.gone`;
  return [
    into('invocation_algorithm_totals', 'algorithm_id, day, status', [
      'SELECT algorithm_id, day, status, calls FROM gone',
      `SELECT algorithm_id, '' AS day, status, calls FROM gone`,
      `SELECT '' AS algorithm_id, day, status, calls FROM gone`,
      `SELECT '' AS algorithm_id, '' AS day, status, calls FROM gone`,
    ]),
    into('invocation_user_totals', 'user_id, day, algorithm_id, status', [
      'SELECT user_id, day, algorithm_id, status, calls FROM gone',
      `SELECT user_id, '' AS day, algorithm_id, status, calls FROM gone`,
    ]),
  ];
}

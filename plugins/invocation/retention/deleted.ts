/**
 * Statements that add deleted records to the roll-ups; run them before the deletion, in its transaction. `source`
 * selects `user_id`, `day`, `algorithm_id`, `status` and the number of `calls`, and both statements take its values. It
 * may read the roll-up of users, which changes last.
 */
export function countDeleted(source: string): readonly [ofAlgorithms: string, ofUsers: string] {
  // Rows are written in the order of the key, like a fold of the roll-up, so that the two cannot deadlock.
  const into = (table: string, key: string, parts: readonly string[]): string =>
    `WITH counted AS (${source})
     INSERT INTO ${table} (${key}, shard, deleted)
     SELECT ${key}, 0, SUM(calls) FROM (${parts.join(' UNION ALL ')}) AS parts GROUP BY ${key} ORDER BY ${key}
     ON CONFLICT (${key}, shard) DO UPDATE SET deleted = ${table}.deleted + excluded.deleted`;
  return [
    into('invocation_algorithm_totals', 'algorithm_id, day, status', [
      'SELECT algorithm_id, day, status, calls FROM counted',
      `SELECT algorithm_id, '' AS day, status, calls FROM counted`,
      `SELECT '' AS algorithm_id, day, status, calls FROM counted`,
      `SELECT '' AS algorithm_id, '' AS day, status, calls FROM counted`,
    ]),
    into('invocation_user_totals', 'user_id, day, algorithm_id, status', [
      'SELECT user_id, day, algorithm_id, status, calls FROM counted',
      `SELECT user_id, '' AS day, algorithm_id, status, calls FROM counted`,
    ]),
  ];
}

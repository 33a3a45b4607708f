import { DATABASE, job, type Database, type Engine } from '../../../../core/index.ts';
import { ALL } from '../call-rollups.ts';
import { SERIES_BUCKETS } from '../../contract.ts';
import { ALL_SERIES, beginSql, PENDING_SERIES, SERIES_KEYS, USER_SERIES, type Series } from './tables.ts';

/**
 * Rows that one transaction folds. Each is added to fifteen rows of series, most of which are on different pages. With 1,000
 * accounts and 100 algorithms, SQLite takes up to 70 ms for this number, and calls wait for the writer meanwhile.
 */
const ROWS_PER_FOLD = 400;
/** Rows with the same key are folded together, so a longer interval has fewer rows to write and more to read. */
const INTERVAL = '10s';

/** The point of a pending row in each length. */
const BEGIN = `CASE bucket ${SERIES_BUCKETS.map((bucket) => `WHEN '${bucket}' THEN ${beginSql(bucket)}`).join(' ')} END`;
const BUCKETS = SERIES_BUCKETS.map((bucket) => `SELECT '${bucket}' AS bucket`).join(' UNION ALL ');

/** Adds rows of a query of pending rows to a series, in the order of its key so that two folds cannot deadlock. */
function adding(series: Series, pending: string): string {
  const key = SERIES_KEYS[series];
  const scopes = series === USER_SERIES ? '' : ' CROSS JOIN (SELECT 1 AS own UNION ALL SELECT 0) AS scopes';
  const owned = (name: string): string =>
    scopes && /^(algorithm|version)_id$/.test(name) ? `CASE own WHEN 1 THEN ${name} ELSE '${ALL}' END` : name;
  const values = key.map((name) => (name === 'begins_at' ? BEGIN : owned(name)));
  const numbers = key.map((_, index) => index + 1).join(', ');
  return `INSERT INTO ${series} (${key.join(', ')}, calls, response_us)
    SELECT ${values.join(', ')}, SUM(calls), SUM(response_us)
    FROM (${pending}) AS pending CROSS JOIN (${BUCKETS}) AS buckets${scopes}
    GROUP BY ${numbers} ORDER BY ${numbers}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET calls = ${series}.calls + excluded.calls,
      response_us = ${series}.response_us + excluded.response_us`;
}

/** On SQLite nothing else writes between the statements of a transaction; PostgreSQL needs a single statement. */
const foldSql: Record<Engine, () => readonly string[]> = {
  sqlite: () => {
    const oldest = `SELECT rowid FROM ${PENDING_SERIES} ORDER BY rowid LIMIT ${ROWS_PER_FOLD}`;
    const pending = `SELECT * FROM ${PENDING_SERIES} WHERE rowid IN (${oldest})`;
    return [
      ...ALL_SERIES.map((series) => adding(series, pending)),
      `DELETE FROM ${PENDING_SERIES} WHERE rowid IN (${oldest})`,
    ];
  },
  postgres: () => [
    `WITH moved AS (
      DELETE FROM ${PENDING_SERIES} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${PENDING_SERIES} LIMIT ${ROWS_PER_FOLD} FOR UPDATE SKIP LOCKED
      )) RETURNING *
    ), ${ALL_SERIES.map((series) => `${series}_added AS (${adding(series, 'SELECT * FROM moved')})`).join(', ')}
    SELECT 1`,
  ],
};

/** Folds pending rows into the series. What readers add up never changes. */
async function fold(database: Database, signal: AbortSignal): Promise<void> {
  const pending = database.read(`SELECT 1 AS found FROM ${PENDING_SERIES} LIMIT 1`);
  const changes = foldSql[database.engine]().map((sql) => ({ sql, values: [] }));
  while (!signal.aborted && (await pending.first())) await database.write([], changes);
}

/** Folds the series. */
export const foldSeriesJob = job({
  name: 'fold-series',
  summary: 'Adds the latest calls to the series of minutes, hours and days',
  every: INTERVAL,
  deps: { database: DATABASE },
  run: ({ signal }, { database }) => fold(database, signal),
});

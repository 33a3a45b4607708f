import { isoDay, type BatchInsert, type Database, type Migration } from '../../../core/index.ts';
import { dayOfRecord } from './call-totals.ts';
import type { RecordCompanion } from '../contract.ts';
import { counters, idType } from '../table-forms.ts';

/** Readers add up all shards. */
const SHARD = 0;

const errorTotals = {
  table: 'invocation_error_totals',
  columns: { algorithm_id: 'text', day: 'text', error_code: 'text', shard: 'integer', calls: 'integer' },
  onConflict: { key: ['algorithm_id', 'day', 'error_code', 'shard'], add: ['calls'] },
} as const satisfies Omit<BatchInsert, 'rows'>;

/**
 * Keeps the counts of the codes with which calls of an algorithm failed, by UTC day, in the transaction of the records.
 * Calls that succeed cost nothing.
 */
export function errorTotalsCompanion(): RecordCompanion {
  return {
    name: 'error-totals',
    rowsFor: (calls) => {
      const counts = new Map<
        string,
        [algorithm: string, day: string, code: string, shard: number, calls: number]
      >();
      for (const { errorCode, algorithmId, createdAt } of calls) {
        if (errorCode === null) continue;
        const day = isoDay(createdAt);
        const name = `${algorithmId}|${day}|${errorCode}`;
        const row = counts.get(name) ?? [algorithmId, day, errorCode, SHARD, 0];
        row[4] += 1;
        counts.set(name, row);
      }
      return counts.size === 0 ? [] : [{ ...errorTotals, rows: [...counts.values()] }];
    },
  };
}

/** Calls of an algorithm by error code, from one UTC day to another, both included. */
export type ErrorCounts = (algorithmId: string, from: string, to: string) => Promise<Record<string, number>>;

/** Reads what `errorTotalsCompanion` keeps. */
export function createErrorCounts(database: Database): ErrorCounts {
  const sums = database.read<{ readonly error_code: string; readonly calls: number }>(
    `SELECT error_code, SUM(calls) AS calls FROM invocation_error_totals
     WHERE algorithm_id = ? AND day BETWEEN ? AND ? GROUP BY error_code ORDER BY error_code`,
  );
  return async (algorithmId, from, to) => {
    const rows = await sums.all(algorithmId, from, to);
    return Object.fromEntries(rows.map(({ error_code, calls }) => [error_code, calls]));
  };
}

export const errorTotalsMigrations: readonly Migration[] = [
  {
    name: '0014_error_totals',
    up: async (trx, engine) => {
      await trx.raw(`CREATE TABLE invocation_error_totals (
        algorithm_id ${idType(engine)} NOT NULL,
        day text NOT NULL,
        error_code text NOT NULL,
        shard integer NOT NULL,
        calls bigint NOT NULL,
        PRIMARY KEY (algorithm_id, day, error_code, shard)
      ) ${counters(engine)}`);
      // SQLite would read every record there is.
      const index = engine === 'postgres' ? '' : 'INDEXED BY invocation_calls_without_success';
      await trx.raw(`INSERT INTO invocation_error_totals (algorithm_id, day, error_code, shard, calls)
        SELECT algorithm_id, day, error_code, 0, COUNT(*) FROM (
          SELECT algorithm_id, ${dayOfRecord[engine]} AS day, error_code FROM invocation_calls ${index}
          WHERE status <> 'success' AND error_code IS NOT NULL
        ) AS failed GROUP BY algorithm_id, day, error_code`);
    },
  },
];

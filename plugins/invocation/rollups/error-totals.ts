import { isoDay, type Database } from '../../../core/index.ts';
import type { RecordHook } from '../contract.ts';
import type { CallRollups } from './call-rollups.ts';

/** Makes the hook that counts the error codes of failed calls, by algorithm and UTC day. */
export function errorTotalsHook({ errors }: CallRollups): RecordHook {
  return {
    name: 'error-totals',
    rowsFor: (calls) => {
      const rows = calls.flatMap(({ errorCode, algorithmId, createdAt }) =>
        errorCode === null ? [] : [[algorithmId, isoDay(createdAt), errorCode, 1]],
      );
      return rows.length === 0 ? [] : [errors.append(rows)];
    },
  };
}

/** Counts calls of an algorithm by error code on the UTC days `from` to `to`, both included. */
export type ErrorCounts = (algorithmId: string, from: string, to: string) => Promise<Record<string, number>>;

/** Makes the reader of the counts that `errorTotalsHook` writes. */
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

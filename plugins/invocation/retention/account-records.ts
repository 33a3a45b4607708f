import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Logger } from '../../../core/index.ts';
import type { AccountBelongings } from '../../users/contract.ts';
import { idsOf } from '../recording/call-row.ts';
import { PAYLOAD_BYTES, withinBytes, type Sized } from '../recording/payload-bytes.ts';
import { CALLER_SERIES, SERIES_KEYS, USER_SERIES } from '../rollups/series/tables.ts';
import { ALL } from '../rollups/call-rollups.ts';
import { BATCH_BYTES, BATCH_ROWS, changeSql, valuesOf } from './batches.ts';
import { lockMark } from './marks.ts';

/** The pause between two transactions, so that calls hardly wait for the writer. */
const PAUSE_MS = 50;
const SERIES_ROWS = 2_000;

interface AccountRecordsDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/** Deletes the records and the statistics of a deleted account. The figures of algorithms stay. */
export function accountRecords({ database, logger }: AccountRecordsDeps): AccountBelongings {
  const oldest = database.read<Sized>(
    `SELECT id, ${PAYLOAD_BYTES} AS size FROM invocation_calls
     WHERE user_id = ? AND id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
  );
  const inSeries = database.read(`SELECT 1 AS found FROM ${USER_SERIES} WHERE user_id = ? LIMIT 1`);
  const deletion = changeSql(database.engine).records;
  const key = SERIES_KEYS[USER_SERIES].join(', ');
  const some = `FROM ${USER_SERIES} WHERE user_id = ? ORDER BY ${key} LIMIT ${SERIES_ROWS}`;
  const callerKey = SERIES_KEYS[CALLER_SERIES].join(', ');
  // Those of the same calls, which no index finds by their user.
  const someOfSeries = [
    `DELETE FROM ${CALLER_SERIES} WHERE (${callerKey}) IN (SELECT ${callerKey} ${some})`,
    `DELETE FROM ${CALLER_SERIES} WHERE algorithm_id = '${ALL}' AND version_id = '${ALL}'
      AND (bucket, begins_at, user_id, status) IN (SELECT bucket, begins_at, user_id, status ${some})`,
    `DELETE FROM ${USER_SERIES} WHERE (${key}) IN (SELECT ${key} ${some})`,
  ];
  // In one statement: what is left of the sums of a user must add up to its records. It waits for the last of these.
  const totals = `DELETE FROM invocation_user_totals WHERE user_id = ?
    AND NOT EXISTS (SELECT 1 FROM invocation_calls WHERE user_id = ?)`;

  const deleteRecords = async (userId: string, signal: AbortSignal): Promise<void> => {
    let after = '';
    let deleted = 0;
    while (!signal.aborted) {
      const ids = idsOf(withinBytes(await oldest.all(userId, after), BATCH_BYTES));
      const last = ids.at(-1);
      if (last === undefined) break;
      const values = valuesOf(ids);
      await database.write([], [lockMark, ...deletion.map((sql) => ({ sql, values }))]);
      deleted += ids.length;
      after = last;
      await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    if (deleted > 0) {
      logger.info({ user_id: userId, records: deleted }, 'Deleted the records of a deleted account.');
    }
  };
  return {
    name: 'records',
    deleteRecords: async (userId, signal) => {
      await deleteRecords(userId, signal);
      while (!signal.aborted && (await inSeries.first(userId))) {
        await database.write(
          [],
          someOfSeries.map((sql) => ({ sql, values: [userId] })),
        );
      }
      if (!signal.aborted) await database.write([], [{ sql: totals, values: [userId, userId] }]);
    },
  };
}

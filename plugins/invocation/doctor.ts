import { join } from 'node:path';
import {
  CLOCK,
  DATA_DIRECTORY,
  DATABASE,
  DAY_MS,
  doctorCheck,
  isoTime,
  lowestIdAt,
  timeOfId,
  type Database,
} from '../../core/index.ts';
import { PAYLOAD_BYTES } from './recording/payload-bytes.ts';
import { batchesInWords, Spool, SPOOL_FOLDER } from './recording/spool.ts';

/** What waits in the spool, and what the database refused. */
export const spoolCheck = doctorCheck({
  name: 'spool',
  deps: { dataDirectory: DATA_DIRECTORY },
  check: async ({ dataDirectory }) => {
    const folder = join(dataDirectory, SPOOL_FOLDER);
    const { batches, batchBytes, refused } = await new Spool(folder).size();
    const waiting = `${batchesInWords(batches)} (${mebibytes(batchBytes)})`;
    return [
      batches === 0
        ? { state: 'ok', message: `No records wait in ${folder}.` }
        : {
            state: 'warning',
            message: `The database did not take ${waiting}, kept in ${folder} until it does.`,
            mend: 'Mend the database; a running service then stores them by itself. /readyz?verbose says why it does not.',
          },
      ...(refused === 0
        ? []
        : [
            {
              state: 'warning' as const,
              message: `The database can never store the records of ${counted(refused, '.refused file')} in ${folder}.`,
              mend: `Look at them, and delete them: ls ${folder}/*.refused`,
            },
          ]),
    ];
  },
});

/** More than the clocks of machines differ that are set by the same service. */
const AHEAD_MS = 60_000;
/** Their mean size stands for that of all. */
const SAMPLE = 200;

/** How fast the records grow, and whether the newest is from the future. */
export const growthCheck = doctorCheck({
  name: 'growth',
  deps: { database: DATABASE, clock: CLOCK },
  check: async ({ database, clock }) => {
    const now = clock.now();
    const newest = await database
      .read<{ id: string }>('SELECT id FROM invocation_calls ORDER BY id DESC LIMIT 1')
      .first();
    if (!newest) return [{ state: 'ok', message: 'No call was recorded yet.' }];
    const newestAt = timeOfId(newest.id);
    if (newestAt > now + AHEAD_MS) {
      return [
        {
          state: 'warning',
          message: `The newest call was recorded at ${isoTime(newestAt)}, but the clock says ${isoTime(now)}: it was set back.`,
          mend: 'timedatectl set-ntp true',
        },
      ];
    }
    const { calls, bytes } = await lastDay(database, lowestIdAt(now - DAY_MS));
    return [
      {
        state: 'ok',
        message: `${counted(calls, 'call')} in the last 24 hours, about ${mebibytes(bytes)}; the newest was recorded at ${isoTime(newestAt)}.`,
      },
    ];
  },
});

async function lastDay(database: Database, from: string): Promise<{ calls: number; bytes: number }> {
  const { calls } = (await database
    .read<{ calls: number }>('SELECT count(*) AS calls FROM invocation_calls WHERE id >= ?')
    .first(from))!;
  const size = `${PAYLOAD_BYTES} + COALESCE(octet_length(error_message), 0)`;
  const { mean } = (await database
    .read<{ mean: number | null }>(
      `SELECT avg(bytes) AS mean FROM (SELECT ${size} AS bytes FROM invocation_calls WHERE id >= ? ORDER BY id DESC LIMIT ${SAMPLE}) AS sample`,
    )
    .first(from))!;
  return { calls, bytes: calls * ((mean ?? 0) + COLUMNS_BYTES) };
}

/** Ids, times and index entries of a record without its payload. */
const COLUMNS_BYTES = 500;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

import { CLOCK, DATABASE, job, type Clock, type Database } from '../../../../core/index.ts';
import { ROLLUPS } from '../../contract.ts';
import { inTurn } from '../in-turn.ts';
import { oldestKept } from './buckets.ts';
import { ALL_SERIES } from './tables.ts';

export const oldPointsJob = job({
  name: 'old-points',
  summary: 'Deletes the minutes of series after 48 hours and the hours after 60 days; the days stay',
  every: '1h',
  deps: { database: DATABASE, clock: CLOCK, rollups: ROLLUPS },
  run: async ({ signal }, { database, clock, rollups }) => {
    const others = rollups
      .filter(({ key }) => 'bucket' in key && 'begins_at' in key)
      .map(({ table }) => table);
    await inTurn([...ALL_SERIES, ...others], (table) => deleteOldPoints(database, clock, table, signal));
  },
});

/** Deletes the points of a table that are kept no longer, one at a time, so that calls hardly wait for the writer. */
export async function deleteOldPoints(
  database: Pick<Database, 'read' | 'write'>,
  clock: Clock,
  table: string,
  signal: AbortSignal,
): Promise<void> {
  for (const bucket of ['minute', 'hour'] as const) {
    const oldest = oldestKept(bucket, clock.now());
    const first = database.read<{ begins_at: number | null }>(
      `SELECT MIN(begins_at) AS begins_at FROM ${table} WHERE bucket = '${bucket}'`,
    );
    const sql = `DELETE FROM ${table} WHERE bucket = '${bucket}' AND begins_at = ?`;
    while (!signal.aborted) {
      const begin = (await first.first())?.begins_at ?? oldest;
      if (begin >= oldest) break;
      await database.write([], [{ sql, values: [begin] }]);
    }
  }
}

import { CLOCK, DATABASE, job, type Database } from '../../../../core/index.ts';
import { oldestKept, type PassingBucket } from './buckets.ts';
import { ALL_SERIES, type Series } from './tables.ts';

interface Old {
  readonly series: Series;
  readonly bucket: PassingBucket;
  /** When the oldest point begins that is kept. */
  readonly oldest: number;
}

export const oldPointsJob = job({
  name: 'old-points',
  summary: 'Deletes the minutes of series after 48 hours and the hours after 60 days; the days stay',
  every: '1h',
  deps: { database: DATABASE, clock: CLOCK },
  run: async ({ signal }, { database, clock }) => {
    for (const series of ALL_SERIES) {
      for (const bucket of ['minute', 'hour'] as const) {
        await deleteOld(database, { series, bucket, oldest: oldestKept(bucket, clock.now()) }, signal);
      }
    }
  },
});

/** Deletes one point at a time, so that calls hardly wait for the writer. */
async function deleteOld(
  database: Database,
  { series, bucket, oldest }: Old,
  signal: AbortSignal,
): Promise<void> {
  const first = database.read<{ begins_at: number | null }>(
    `SELECT MIN(begins_at) AS begins_at FROM ${series} WHERE bucket = '${bucket}'`,
  );
  const sql = `DELETE FROM ${series} WHERE bucket = '${bucket}' AND begins_at = ?`;
  while (!signal.aborted) {
    const begin = (await first.first())?.begins_at ?? oldest;
    if (begin >= oldest) return;
    await database.write([], [{ sql, values: [begin] }]);
  }
}

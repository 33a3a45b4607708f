import { CLOCK, DATABASE, job } from '../../../../core/index.ts';
import { oldestHour } from './buckets.ts';
import { ALGORITHM_SERIES, USER_SERIES } from './tables.ts';

/** Deletes one hour at a time, so that calls hardly wait for the writer. */
export const oldHoursJob = job({
  name: 'old-hours',
  summary: 'Deletes the hours of series after 60 days; the days stay',
  every: '1h',
  deps: { database: DATABASE, clock: CLOCK },
  run: async ({ signal }, { database, clock }) => {
    const oldest = oldestHour(clock.now());
    for (const table of [USER_SERIES, ALGORITHM_SERIES]) {
      const first = database.read<{ begins_at: number | null }>(
        `SELECT MIN(begins_at) AS begins_at FROM ${table} WHERE bucket = 'hour'`,
      );
      const sql = `DELETE FROM ${table} WHERE bucket = 'hour' AND begins_at = ?`;
      while (!signal.aborted) {
        const begin = (await first.first())?.begins_at ?? oldest;
        if (begin >= oldest) break;
        await database.write([], [{ sql, values: [begin] }]);
      }
    }
  },
});

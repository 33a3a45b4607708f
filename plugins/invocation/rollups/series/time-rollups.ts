import type { Clock, Database, SqlValue } from '../../../../core/index.ts';
import { SERIES_BUCKETS, type TimeRollups } from '../../contract.ts';
import { beginOf, seriesRange } from './buckets.ts';

/** Keeps the series of other plugins. */
export function createTimeRollups({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'engine'>;
  readonly clock: Clock;
}): TimeRollups {
  return {
    rangeOf: (query) => seriesRange(query, clock.now()),
    keep: (rollup) => {
      const writer = rollup.writer(database);
      // The last two parts of the key are the point.
      const before = Object.keys(rollup.key).length - 2;
      const rowsAt = (time: number, row: readonly SqlValue[]): readonly (readonly SqlValue[])[] =>
        SERIES_BUCKETS.map((bucket) => [
          ...row.slice(0, before),
          bucket,
          beginOf(bucket, time),
          ...row.slice(before),
        ]);
      return {
        append: (rows) => writer.append(rows.flatMap(([time, ...row]) => rowsAt(time, row))),
      };
    },
  };
}

import type { Engine, Transaction } from '../../../../core/index.ts';
import type { SeriesBucket } from '../../contract.ts';
import { idType } from '../../table-forms.ts';
import { SIZES } from './buckets.ts';

/** The calls of each user by hour and day. */
export const USER_SERIES = 'invocation_user_series';
/** The calls of each algorithm, and of all algorithms together, by hour and day. */
export const ALGORITHM_SERIES = 'invocation_algorithm_series';
/** Calls by hour that are not folded into the series yet. */
export const PENDING_SERIES = 'invocation_pending_series';

/** The key of each series; `begins_at` is in milliseconds since 1970, `bin` is a `binOf` of the response time. */
export const SERIES_KEYS = {
  [USER_SERIES]: ['user_id', 'bucket', 'begins_at', 'algorithm_id', 'version_id', 'status', 'bin'],
  [ALGORITHM_SERIES]: ['algorithm_id', 'bucket', 'begins_at', 'version_id', 'status', 'bin'],
} as const;

/** SQL for when the hour or the day of a pending row begins, which itself has the beginning of the hour. */
export function beginSql(bucket: SeriesBucket): string {
  return bucket === 'hour' ? 'begins_at' : `begins_at - begins_at % ${SIZES.day}`;
}

/** Makes the tables of series, each with an index to find the hours that are kept no longer. */
export async function makeSeriesTables(trx: Transaction, engine: Engine): Promise<void> {
  const id = idType(engine);
  const rest = `bucket text NOT NULL, begins_at bigint NOT NULL, algorithm_id ${id} NOT NULL, version_id ${id} NOT NULL,
    status text NOT NULL, bin integer NOT NULL, calls bigint NOT NULL, response_us bigint NOT NULL`;
  for (const [table, key] of Object.entries(SERIES_KEYS)) {
    const user = table === USER_SERIES ? `user_id ${id} NOT NULL, ` : '';
    await trx.raw(
      `CREATE TABLE ${table} (${user}${rest}, PRIMARY KEY (${key.join(', ')}))${engine === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
    );
    await trx.raw(`CREATE INDEX ${table}_hours ON ${table} (begins_at) WHERE bucket = 'hour'`);
  }
  await trx.raw(
    `CREATE TABLE ${PENDING_SERIES} (user_id ${id} NOT NULL, ${rest.replace('bucket text NOT NULL, ', '')})`,
  );
}

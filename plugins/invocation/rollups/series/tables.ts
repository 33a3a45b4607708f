import type { Engine, Transaction } from '../../../../core/index.ts';
import { indexExpiringPoints, type SeriesBucket } from '../../contract.ts';
import { idType } from '../../table-forms.ts';
import { SIZES } from './buckets.ts';

/** The calls of each user by minute, hour and day. */
export const USER_SERIES = 'invocation_user_series';
/** The calls of each algorithm, and of all algorithms together, by minute, hour and day. */
export const ALGORITHM_SERIES = 'invocation_algorithm_series';
/** Who made the calls of each algorithm, and of all algorithms together. */
export const CALLER_SERIES = 'invocation_caller_series';
/** Calls by minute that are not folded into the series yet. */
export const PENDING_SERIES = 'invocation_pending_series';

/** The key of each series; `begins_at` is in milliseconds since 1970, `bin` is a `binOf` of the response time. */
export const SERIES_KEYS = {
  [USER_SERIES]: [
    'user_id',
    'bucket',
    'begins_at',
    'algorithm_id',
    'version_id',
    'status',
    'error_code',
    'bin',
  ],
  [ALGORITHM_SERIES]: ['algorithm_id', 'bucket', 'begins_at', 'version_id', 'status', 'error_code', 'bin'],
  [CALLER_SERIES]: ['algorithm_id', 'bucket', 'begins_at', 'version_id', 'user_id', 'status'],
} as const;

/** The series, each of which has all calls. */
export type Series = keyof typeof SERIES_KEYS;
export const ALL_SERIES = Object.keys(SERIES_KEYS) as readonly Series[];

/** SQL for when the point of a pending row begins, which itself has the beginning of the minute. */
export function beginSql(bucket: SeriesBucket): string {
  return bucket === 'minute' ? 'begins_at' : `begins_at - begins_at % ${SIZES[bucket]}`;
}

/** Makes the tables of series, each with indexes to find the minutes and hours that are kept no longer. */
export async function makeSeriesTables(trx: Transaction, engine: Engine): Promise<void> {
  const id = `${idType(engine)} NOT NULL`;
  const types: Readonly<Record<string, string>> = {
    user_id: id,
    algorithm_id: id,
    version_id: id,
    bucket: 'text NOT NULL',
    status: 'text NOT NULL',
    error_code: 'text NOT NULL',
    begins_at: 'bigint NOT NULL',
    bin: 'integer NOT NULL',
  };
  const columns = (key: readonly string[]): string =>
    [
      ...key.map((name) => `${name} ${types[name]}`),
      'calls bigint NOT NULL',
      'response_us bigint NOT NULL',
    ].join(', ');
  for (const [table, key] of Object.entries(SERIES_KEYS)) {
    await trx.raw(
      `CREATE TABLE ${table} (${columns(key)}, PRIMARY KEY (${key.join(', ')}))${engine === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
    );
    await indexExpiringPoints(trx, table);
  }
  const pending = SERIES_KEYS[USER_SERIES].filter((name) => name !== 'bucket');
  await trx.raw(`CREATE TABLE ${PENDING_SERIES} (${columns(pending)})`);
}

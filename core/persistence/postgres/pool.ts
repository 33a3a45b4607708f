import { userInfo } from 'node:os';
import pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import type { DatabaseSettings } from '../settings.ts';
import { SilenceWatch } from './silence.ts';

export interface PoolOptions {
  readonly max: number;
  /** Sends statements without waiting for earlier answers. */
  readonly pipeline?: boolean;
  /** `false`: statements have no time-out. */
  readonly timeouts?: boolean;
}

/** Creates the pools of one database. */
export type PoolFactory = (options: PoolOptions) => pg.Pool;

/** Added to the time-out of the server, in case the server does not answer at all. */
const GRACE_MS = 2_000;

/** Counts (`int8`) and sums of integers (`numeric`) are read as numbers, and booleans as 0 and 1, as on SQLite. */
const { BOOL, INT8, NUMERIC } = pg.types.builtins;
const parsers = new Map<number, (text: string) => number>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT8, Number],
  [NUMERIC, Number],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
};

/** A server may be configured to acknowledge before it has written; call records must be durable. */
const DURABLE =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/** A URL without a user means the user of the process, as in libpq. pg reads the variable USER, which is often unset. */
pg.defaults.user ??= userInfo().username;

/**
 * Runs before a new connection is used; the pool awaits the result, although its types do not say so. The listener keeps
 * a connection that breaks during use from ending the process; the pool drops it on release.
 */
function onConnect(client: pg.ClientBase): unknown {
  client.on('error', () => undefined);
  return client.query(DURABLE);
}

export function poolFactory(
  connectionString: string,
  settings: DatabaseSettings,
  logger: Logger,
): PoolFactory {
  const silence = new SilenceWatch({ connectionString, limitMs: settings.connect_timeout_ms, logger });
  const common = {
    connectionString,
    stream: silence.openSocket,
    types,
    application_name: 'vitrine',
    keepAlive: true,
    connectionTimeoutMillis: settings.connect_timeout_ms,
  };
  const timeLimits = {
    statement_timeout: settings.statement_timeout_ms,
    query_timeout: settings.statement_timeout_ms + GRACE_MS,
  };
  return ({ timeouts = true, ...options }) => {
    const pool = new pg.Pool({ ...common, ...(timeouts ? timeLimits : {}), ...options, onConnect });
    silence.watch(pool);
    pool.on('error', (error) => logger.warn({ err: error }, 'A connection to PostgreSQL broke.'));
    return pool;
  };
}

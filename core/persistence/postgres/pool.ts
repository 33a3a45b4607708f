import { userInfo } from 'node:os';
import pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import type { DatabaseSettings } from '../settings.ts';

export interface PoolOptions {
  readonly max: number;
  /** Sends statements without waiting for the answers to those before. */
  readonly pipeline?: boolean;
  /** `false`: waits for every statement as long as it takes. */
  readonly timeouts?: boolean;
}

/** How all connections of one database are made. */
export type PoolFactory = (options: PoolOptions) => pg.Pool;

/** Beyond the server's own time-out, for a server that does not even say that it gave up. */
const GRACE_MS = 2_000;

/** Counts are `int8` and sums of integers `numeric`: numbers, as on SQLite; so are booleans, 0 and 1, until a model reads them. */
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

/** A server may be set to acknowledge before it wrote; a call record must not be. */
const DURABLE =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/** As libpq does: a URL without a user means the user of the process. pg asks the variable USER, often unset. */
pg.defaults.user ??= userInfo().username;

/**
 * Runs before a new connection is given out; the pool waits for what it returns, though its types do not say so.
 * A connection that breaks while it is in use must not end the process; the pool drops it when it is released.
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
  const common = {
    connectionString,
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
    pool.on('error', (error) => logger.warn({ err: error }, 'A connection to PostgreSQL broke.'));
    return pool;
  };
}

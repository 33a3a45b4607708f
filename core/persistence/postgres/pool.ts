import { userInfo } from 'node:os';
import pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import type { DatabaseSettings } from '../settings.ts';

/** How all connections of one database are made. */
export interface PoolFactory {
  pool(options: { readonly max: number; readonly pipeline?: boolean }): pg.Pool;
  /** A connection outside of any pool, not yet connected. */
  client(options: { readonly queryTimeoutMs: number }): pg.Client;
}

/** Beyond the server's own time-out, for a server that does not even say that it gave up. */
const GRACE_MS = 2_000;

/** Sums of integers are `numeric`, counts are `int8`; both are numbers here, and booleans in rows are as declared. */
const { INT8, NUMERIC } = pg.types.builtins;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** A server may be set to acknowledge before it wrote; a call record must not be. */
const DURABLE =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/** As libpq does: a URL without a user means the one who runs the process. pg asks the variable USER, often unset. */
pg.defaults.user ??= userInfo().username;

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
    statement_timeout: settings.statement_timeout_ms,
  };
  const onError = (error: Error): void => logger.warn({ err: error }, 'A connection to PostgreSQL broke.');
  return {
    pool: (options) => {
      const pool = new pg.Pool({
        ...common,
        ...options,
        query_timeout: settings.statement_timeout_ms + GRACE_MS,
      } as pg.PoolConfig);
      pool.on('error', onError);
      pool.on('connect', (client) => {
        client.on('error', () => Object.assign(client, { __knex__disposed: 'broken' }));
        client.query(DURABLE).catch(() => undefined);
      });
      return pool;
    },
    client: ({ queryTimeoutMs }) => new pg.Client({ ...common, query_timeout: queryTimeoutMs }),
  };
}

import knexPkg, { type Knex } from 'knex';
import type pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import {
  bindingsOf,
  commonOptions,
  dialect,
  knexLog,
  withoutStatement,
  type KnexQuery,
} from '../knex-dialect.ts';
import { refuseUnstorable } from '../storable.ts';
import { unavailable } from '../unavailable.ts';
import { fromPostgres, isBroken } from './failures.ts';

/** Connections that failed. Not a field of the client, because knex creates clients of transactions without a constructor. */
const broken = new WeakSet<pg.PoolClient>();

/** knex on pg, with the errors of the kernel. */
class PostgresKnexClient extends dialect('pg') {
  override async acquireConnection(): Promise<pg.PoolClient> {
    try {
      return (await super.acquireConnection()) as pg.PoolClient;
    } catch (error) {
      throw unavailable(error);
    }
  }

  override async releaseConnection(connection: pg.PoolClient): Promise<void> {
    if (broken.has(connection)) connection.release(true);
    else await super.releaseConnection(connection);
  }

  override async query(connection: pg.PoolClient, query: KnexQuery): Promise<unknown> {
    refuseUnstorable(bindingsOf(query));
    try {
      return (await super.query(connection, query)) as unknown;
    } catch (error) {
      if (isBroken(error)) broken.add(connection);
      throw fromPostgres(withoutStatement(error, query));
    }
  }
}

/** knex on a pool. The caller ends the pool. */
export function knexOnPool(pool: pg.Pool, logger: Logger): Knex {
  return knexPkg({
    ...commonOptions,
    client: PostgresKnexClient,
    connectionPool: pool,
    log: knexLog(logger),
  });
}

import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import { QueryFailure, unwrapped } from '../query-failure.ts';
import { refuseUnstorable } from '../storable.ts';
import { unavailable } from '../unavailable.ts';
import { fromPostgres, isBroken } from './failures.ts';

type Connection = Parameters<PostgresClient['_query']>[0];
type Query = Parameters<PostgresClient['_query']>[1];

/** knex on pg with the kernel's errors. */
export class PostgresKnexClient extends PostgresClient {
  override async acquireConnection(): ReturnType<PostgresClient['acquireConnection']> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw unavailable(error);
    }
  }

  override async query(connection: unknown, query: unknown): Promise<unknown> {
    try {
      return await super.query(connection, query);
    } catch (error) {
      throw unwrapped(error);
    }
  }

  override async _query(connection: Connection, query: Query): Promise<unknown> {
    try {
      refuseUnstorable(query.bindings ?? []);
      return await super._query(connection, query);
    } catch (error) {
      if (isBroken(error)) connection.__knex__disposed = error;
      throw new QueryFailure(fromPostgres(error));
    }
  }
}

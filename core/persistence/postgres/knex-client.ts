import PostgresClient from 'knex/lib/dialects/postgres/index.js';
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

  override async _query(connection: Connection, query: Query): Promise<unknown> {
    refuseUnstorable(query.bindings ?? []);
    try {
      return await super._query(connection, query);
    } catch (error) {
      if (isBroken(error)) connection.__knex__disposed = error;
      throw fromPostgres(error);
    }
  }
}

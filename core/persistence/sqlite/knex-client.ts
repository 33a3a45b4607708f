import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import { refuseUnstorable } from '../storable.ts';
import { unavailable } from '../unavailable.ts';
import { fromSqlite, isBroken } from './failures.ts';

type Connection = Parameters<BetterSqliteClient['_query']>[0];
type Query = Parameters<BetterSqliteClient['_query']>[1];

/** knex on better-sqlite3 with the kernel's errors and with transactions that write from their first statement. */
export class SqliteKnexClient extends BetterSqliteClient {
  override async acquireConnection(): ReturnType<BetterSqliteClient['acquireConnection']> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw unavailable(error);
    }
  }

  override async _query(connection: Connection, query: Query): Promise<unknown> {
    refuseUnstorable(query.bindings ?? []);
    if (query.sql === 'ROLLBACK' && !connection.inTransaction) return query;
    try {
      return await super._query(connection, immediate(query));
    } catch (error) {
      if (isBroken(error)) connection.__knex__disposed = error;
      if (query.sql === 'COMMIT;' && connection.inTransaction) connection.exec('ROLLBACK');
      throw fromSqlite(error);
    }
  }
}

/** A transaction that reads first and writes later fails when another connection wrote in between. */
function immediate(query: Query): Query {
  return query.sql === 'BEGIN;' ? Object.assign(query, { sql: 'BEGIN IMMEDIATE;' }) : query;
}

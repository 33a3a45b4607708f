import { setTimeout as pause } from 'node:timers/promises';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import { QueryFailure, unwrapped } from '../query-failure.ts';
import { refuseUnstorable } from '../storable.ts';
import { unavailable } from '../unavailable.ts';
import { fromSqlite, isBroken, sqliteCode } from './failures.ts';

type Connection = Parameters<BetterSqliteClient['_query']>[0];
type Query = Parameters<BetterSqliteClient['_query']>[1];

const PAUSE_MS = 5;

/** knex on better-sqlite3 with the kernel's errors and with transactions that write from their first statement. */
export class SqliteKnexClient extends BetterSqliteClient {
  override async acquireConnection(): ReturnType<BetterSqliteClient['acquireConnection']> {
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
      if (query.sql === 'BEGIN;') return await begin(connection);
      if (query.sql === 'ROLLBACK' && !connection.inTransaction) return query;
      return await super._query(connection, query);
    } catch (error) {
      if (isBroken(error)) connection.__knex__disposed = error;
      if (query.sql === 'COMMIT;' && connection.inTransaction) connection.exec('ROLLBACK');
      throw new QueryFailure(fromSqlite(error));
    }
  }
}

/**
 * Takes the write lock at once: a transaction that reads first and writes later fails when another connection wrote in
 * between. Waits for the lock without stopping the main loop, as the driver's own waiting would.
 */
async function begin(connection: Connection): Promise<void> {
  const busyTimeoutMs = Number(connection.pragma('busy_timeout', { simple: true }));
  connection.pragma('busy_timeout = 0');
  try {
    for (let waited = 0; ; waited += PAUSE_MS) {
      if (tryBegin(connection, waited >= busyTimeoutMs)) return;
      await pause(PAUSE_MS);
    }
  } finally {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}

function tryBegin(connection: Connection, last: boolean): boolean {
  try {
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (last || !sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
    return false;
  }
}

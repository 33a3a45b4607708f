import { setTimeout as pause } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import knexPkg, { type Knex } from 'knex';
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
import { prepareConnection } from './connection.ts';
import { fromSqlite, isBroken, sqliteCode } from './failures.ts';

const PAUSE_MS = 5;

/** Connections that must not be reused. */
const broken = new WeakSet<Sqlite.Database>();

/**
 * knex on better-sqlite3, with the errors of the kernel and with transactions that lock for writing at their start: one that
 * reads first and writes later fails when another connection has written in between. Waits for the lock of another
 * connection without blocking the main loop, unlike the driver.
 */
class SqliteKnexClient extends dialect('better-sqlite3') {
  override async acquireConnection(): Promise<Sqlite.Database> {
    try {
      return (await super.acquireConnection()) as Sqlite.Database;
    } catch (error) {
      throw unavailable(error);
    }
  }

  override async query(connection: Sqlite.Database, query: KnexQuery): Promise<unknown> {
    refuseUnstorable(bindingsOf(query));
    // SQLite itself rolls back after some failures.
    if (isText(query, 'ROLLBACK') && !connection.inTransaction) return undefined;
    const run = async (): Promise<unknown> =>
      isText(query, 'BEGIN') ? connection.exec('BEGIN IMMEDIATE') : await super.query(connection, query);
    try {
      return await whenUnlocked(run, this.config.acquireConnectionTimeout ?? 0);
    } catch (error) {
      if (isBroken(error)) broken.add(connection);
      if (isText(query, 'COMMIT') && connection.inTransaction) connection.exec('ROLLBACK');
      throw fromSqlite(withoutStatement(error, query));
    }
  }
}

/** Whether knex sends this text, with which it begins or ends a transaction. */
function isText(query: KnexQuery, text: string): boolean {
  return query === text || query === `${text};`;
}

/** knex on a SQLite file, with one connection. The caller destroys it. */
export function knexOnFile(filename: string, busyTimeoutMs: number, logger: Logger): Knex {
  return knexPkg({
    ...commonOptions,
    client: SqliteKnexClient,
    connection: { filename },
    useNullAsDefault: true,
    log: knexLog(logger),
    acquireConnectionTimeout: busyTimeoutMs,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Sqlite.Database, done: (error: unknown, connection: unknown) => void) => {
        try {
          prepareConnection(connection, busyTimeoutMs);
          connection.pragma('busy_timeout = 0');
          done(null, connection);
        } catch (error) {
          connection.close();
          done(error, connection);
        }
      },
      validate: (connection: Sqlite.Database) => !broken.has(connection),
    },
  });
}

/** Tries again while another connection has the lock, for up to `mostMs`. */
async function whenUnlocked<T>(run: () => Promise<T>, mostMs: number): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return await run();
    } catch (error) {
      if (waitedMs >= mostMs || !sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
    }
    await pause(PAUSE_MS);
  }
}

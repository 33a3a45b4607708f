import type Sqlite from 'better-sqlite3';

/** 64 MB between checkpoints gains a lot when many records are written; pages are 4 KiB. */
const PAGES_BETWEEN_CHECKPOINTS = 16_384;
const CACHE_KIB = 16_384;

/**
 * Makes a connection durable and patient, and checks that it took: an acknowledged row survives a cut of power only
 * in WAL mode with `synchronous=FULL`.
 */
export function prepareConnection(connection: Sqlite.Database, busyTimeoutMs: number): void {
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const journal = connection.pragma('journal_mode = WAL', { simple: true });
  if (journal !== 'wal')
    throw new Error(`the file system allows no write-ahead log (journal_mode is "${String(journal)}")`);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
  const synchronous = connection.pragma('synchronous', { simple: true });
  const foreignKeys = connection.pragma('foreign_keys', { simple: true });
  if (synchronous !== 2 || foreignKeys !== 1) {
    throw new Error(
      `SQLite did not accept its settings (synchronous ${String(synchronous)}, foreign_keys ${String(foreignKeys)})`,
    );
  }
}

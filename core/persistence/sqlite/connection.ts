import type Sqlite from 'better-sqlite3';

/** 256 MiB in pages of 4 KiB: a fallback for when `Checkpoints` falls behind, because a checkpoint delays its commit. */
const PAGES_BEFORE_CHECKPOINT_IN_COMMIT = 65_536;
const CACHE_KIB = 16_384;

/**
 * Configures a connection to be durable and to wait for locks, and checks that SQLite accepted it: a committed row
 * survives a power failure only in WAL mode with `synchronous=FULL`.
 */
export function prepareConnection(connection: Sqlite.Database, busyTimeoutMs: number): void {
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const journal = connection.pragma('journal_mode = WAL', { simple: true });
  if (journal !== 'wal')
    throw new Error(`the file system allows no write-ahead log (journal_mode is "${String(journal)}")`);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`wal_autocheckpoint = ${PAGES_BEFORE_CHECKPOINT_IN_COMMIT}`);
  const synchronous = connection.pragma('synchronous', { simple: true });
  const foreignKeys = connection.pragma('foreign_keys', { simple: true });
  if (synchronous !== 2 || foreignKeys !== 1) {
    throw new Error(
      `SQLite did not accept its settings (synchronous ${String(synchronous)}, foreign_keys ${String(foreignKeys)})`,
    );
  }
}

import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StartupError } from '../../errors/startup-error.ts';
import { sqliteCode } from './failures.ts';
import { openFailure } from './open-failure.ts';

/** Kept here, because a connection that is collected as garbage closes. */
const claims = new Set<Sqlite.Database>();

/**
 * Claims a SQLite file for one service until the returned function is called or the process ends, however it ends: two
 * services on one file would each count limits, circuits and schedules on their own. Commands do not claim it. The claim
 * is a lock of SQLite on a file beside it, because Node cannot lock files. Throws `refusal` when another has it.
 */
export function claimForService(
  file: string,
  refusal: (file: string) => StartupError = alreadyServed,
): () => void {
  // One file has one claim, however it is reached.
  const path = existsSync(file) ? realpathSync(file) : file;
  const lock = openLock(`${path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw sqliteCode(error).startsWith('SQLITE_BUSY')
      ? refusal(file)
      : openFailure(`${path}.lock`, error, '');
  }
  claims.add(lock);
  return () => {
    claims.delete(lock);
    lock.close();
  };
}

/** Whether a service has claimed a SQLite file. Claims nothing. */
export function isServed(file: string): boolean {
  const path = `${existsSync(file) ? realpathSync(file) : file}.lock`;
  if (!existsSync(path)) return false;
  const lock = new Sqlite(path, { readonly: true, timeout: 0 });
  try {
    lock.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    lock.close();
  }
}

function openLock(path: string): Sqlite.Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    return new Sqlite(path, { timeout: 0 });
  } catch (error) {
    throw openFailure(path, error, '');
  }
}

function alreadyServed(file: string): StartupError {
  return new StartupError(
    `Another process serves the database ${file}. Only one service may use a SQLite file; with two, rate limits would ` +
      'count separately. ' +
      'Stop the other one, or give this one a directory of its own (DATA_DIR, DATABASE_URL); several processes need PostgreSQL. ' +
      'Commands such as `vitrine create-admin` work beside a service.',
  );
}

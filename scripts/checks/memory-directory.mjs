import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** The file system in memory that Linux has. */
const IN_MEMORY = '/dev/shm';
/** What the databases of the suites need at once, with room to spare. Containers often have less. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Has temporary files kept in memory where there is room, unless `TMPDIR` names another place: the suites make and drop more
 * than five hundred databases, and on a disk each can cost a quarter of a second of the processor.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !hasRoom()) return;
  const directory = mkdtempSync(join(IN_MEMORY, 'vitrine-'));
  // PostgreSQL may run as another user, which must be able to pass.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Where PostgreSQL is embedded, its package stops it first and then ends the process.
    process.once(signal, () => process.listenerCount(signal) === 0 && process.exit(1));
  }
}

function hasRoom() {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
}

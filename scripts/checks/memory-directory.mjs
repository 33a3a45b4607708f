import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** The file system in memory that Linux has. */
const IN_MEMORY = '/dev/shm';
/** What the databases of the suites need at once, with room to spare. Containers often have less. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Has temporary files kept in memory where there is room, unless `TMPDIR` names another place: the suites make and drop a
 * thousand databases, and each can cost a tenth of a second of the processor on a disk.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !hasRoom()) return;
  const directory = mkdtempSync(join(IN_MEMORY, 'vitrine-'));
  // PostgreSQL may run as another user, which must be able to pass.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

function hasRoom() {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= NEEDED_BYTES;
}

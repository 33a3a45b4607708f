import { closeSync, openSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Of the file system on which a directory lies, to this process. */
export type FreeBytes = (directory: string) => number;

export interface CopyOptions {
  /** Told the size before the first page is copied. */
  readonly begins: (bytes: number) => void;
  readonly freeBytes?: FreeBytes | undefined;
}

/** 4 MiB, pages being 4 KiB: the main loop goes on in between. */
const PAGES_AT_A_TIME = 1_024;
const MIB = 1_048_576;

/**
 * Writes what is committed in a SQLite file into another one, durable and readable for its owner alone, in the place of what was
 * there. Throws when there is no room.
 */
export async function copyDatabase(
  file: string,
  target: string,
  { begins, freeBytes = free }: CopyOptions,
): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const bytes = sizeOf(source);
    const room = freeBytes(dirname(target));
    if (room < bytes) {
      throw new Error(
        `it has ${Math.ceil(bytes / MIB)} MiB, and ${dirname(target)} has room for ${Math.floor(room / MIB)} MiB`,
      );
    }
    begins(bytes);
    for (const leftover of [target, `${target}-journal`]) rmSync(leftover, { force: true });
    closeSync(openSync(target, 'wx', 0o600));
    await source.backup(target, { progress: () => PAGES_AT_A_TIME });
  } finally {
    source.close();
  }
}

function sizeOf(database: Sqlite.Database): number {
  const pages = database.pragma('page_count', { simple: true }) as number;
  const pageSize = database.pragma('page_size', { simple: true }) as number;
  return pages * pageSize;
}

function free(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

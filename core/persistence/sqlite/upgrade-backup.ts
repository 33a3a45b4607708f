import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { isoTime, type Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { BackupFailed, type UpgradeBackup } from '../migrations/upgrade.ts';

/** The number of copies that are kept. */
const KEPT = 3;
/** The part of the file name after the name of the database. */
const COPY = /^\d{8}T\d{6}Z-before-.*\.db$/;

export interface BackupOptions {
  /** The database file. */
  readonly file: string;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Copies a SQLite file into the folder `backups` beside it, which only the owner may read. */
export class SqliteUpgradeBackup implements UpgradeBackup {
  readonly #options: BackupOptions;
  readonly #directory: string;
  /** The name of the database without extension, because several databases may share a folder. */
  readonly #name: string;
  #copy: string | undefined;

  constructor(options: BackupOptions) {
    this.#options = options;
    this.#directory = join(dirname(options.file), 'backups');
    this.#name = basename(options.file, extname(options.file));
  }

  async make(step: string): Promise<void> {
    const { file, logger, clock } = this.#options;
    const stamp = `${isoTime(clock.now()).replaceAll(/[-:]|\..*/g, '')}Z`;
    const copy = join(
      this.#directory,
      `${this.#name}-${stamp}-before-${step.replaceAll(/[^\w.-]/g, '_')}.db`,
    );
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      logger.info({ backup: copy }, 'Copying the database before an upgrade of its tables.');
      await copyDatabase(file, copy);
    } catch (error) {
      throw new BackupFailed(
        `The database could not be copied to ${copy} before an upgrade of its tables: ${(error as Error).message}. ` +
          'No table was changed. Correct that, or make a backup yourself and set database.backup_before_upgrade (DATABASE_BACKUP_BEFORE_UPGRADE) to false for this start.',
        [],
        { cause: error },
      );
    }
    logger.info({ backup: copy }, `Copied the database to ${copy}.`);
    this.#copy = copy;
  }

  prune(): void {
    for (const old of this.#copies().slice(0, -KEPT)) rmSync(old, { force: true });
  }

  discard(): void {
    if (this.#copy) rmSync(this.#copy, { force: true });
  }

  wayBack(): string {
    if (!this.#copy) return 'To go back to the release before, restore a backup from before.';
    const { file } = this.#options;
    return (
      `The database as it was before this start is in ${this.#copy}. To go back to the release before, stop the service, ` +
      `delete ${file}-wal and ${file}-shm where they exist, and copy that file over ${file}.`
    );
  }

  backupLocation(): string {
    return this.#copies().length === 0
      ? ''
      : `The last backups that were made before upgrades are in ${this.#directory}.`;
  }

  /** The existing copies, oldest first. */
  #copies(): string[] {
    if (!existsSync(this.#directory)) return [];
    const prefix = `${this.#name}-`;
    return readdirSync(this.#directory)
      .filter((name) => name.startsWith(prefix) && COPY.test(name.slice(prefix.length)))
      .sort()
      .map((name) => join(this.#directory, name));
  }
}

/** Copies the committed data, including the write-ahead log. The copy gets its name when it is complete and synced. */
async function copyDatabase(file: string, copy: string): Promise<void> {
  const unfinished = `${copy}.unfinished`;
  const source = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    closeSync(openSync(unfinished, 'w', 0o600));
    await source.backup(unfinished);
    renameSync(unfinished, copy);
    const directory = openSync(dirname(copy), 'r');
    fsyncSync(directory);
    closeSync(directory);
  } finally {
    source.close();
    rmSync(unfinished, { force: true });
  }
}

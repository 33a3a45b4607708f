import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isoTime, type Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { BackupFailed, type UpgradeBackup } from '../migrations/upgrade-backup.ts';
import { copyDatabase, type FreeBytes } from './copy.ts';

/** How many copies are kept. */
const KEPT = 3;
/** What follows the name of the database. */
const COPY = /^\d{8}T\d{6}Z-before-.*\.db$/;

export interface BackupOptions {
  /** The database. */
  readonly file: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For tests of a disk without room. */
  readonly freeBytes?: FreeBytes;
}

/** An upgrade that began and is not through. */
interface UnderWay {
  /** The copy from before it. */
  readonly copy: string;
  /** Its first step. */
  readonly step: string;
}

/** Copies a SQLite file into the folder `backups` beside it, which only its owner may read. */
export class SqliteUpgradeBackup implements UpgradeBackup {
  readonly #options: BackupOptions;
  readonly #directory: string;
  /** Of the database, without extension: several may share a folder. */
  readonly #name: string;
  /** Says which upgrade is under way. */
  readonly #note: string;

  constructor(options: BackupOptions) {
    this.#options = options;
    this.#directory = join(dirname(options.file), 'backups');
    this.#name = basename(options.file, extname(options.file));
    this.#note = join(this.#directory, `${this.#name}-upgrade-under-way.json`);
  }

  async begin(step: string, ran: readonly string[]): Promise<void> {
    const before = this.#underWay();
    if (before && ran.includes(before.step)) return;
    const copy = join(this.#directory, `${this.#name}-${this.#stamp()}-before-${fileName(step)}.db`);
    try {
      await this.#copyTo(copy);
      const underWay: UnderWay = { copy, step };
      writeFileSync(this.#note, JSON.stringify(underWay), { mode: 0o600, flush: true });
      syncDirectory(this.#directory);
      this.#removeOld(copy);
    } catch (error) {
      throw new BackupFailed(
        `The database could not be copied to ${copy} before an upgrade of its tables: ${(error as Error).message}. ` +
          'No table was changed. Correct that, or make a backup yourself and set database.backup_before_upgrade (DATABASE_BACKUP_BEFORE_UPGRADE) to false for this start.',
        [],
        { cause: error },
      );
    }
  }

  end(): void {
    rmSync(this.#note, { force: true });
  }

  wayBack(): string {
    const copy = this.#underWay()?.copy;
    if (!copy || !existsSync(copy)) return 'To go back to the release before, restore a backup from before.';
    const { file } = this.#options;
    return (
      `The database as it was before this upgrade is in ${copy}. To go back to the release before, stop the service, ` +
      `delete ${file}-wal and ${file}-shm where they exist, and copy that file over ${file}.`
    );
  }

  whereKept(): string {
    return this.#copies().length === 0
      ? ''
      : `The last backups that were made before upgrades are in ${this.#directory}.`;
  }

  async #copyTo(copy: string): Promise<void> {
    const { file, logger, clock, freeBytes } = this.#options;
    const began = clock.elapsed();
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const unfinished = join(this.#directory, `${this.#name}-unfinished`);
    const begins = (bytes: number): void =>
      logger.info({ bytes, backup: copy }, 'Copying the database before an upgrade of its tables.');
    try {
      await copyDatabase(file, unfinished, { begins, freeBytes });
      renameSync(unfinished, copy);
    } finally {
      rmSync(unfinished, { force: true });
    }
    const elapsed_ms = Math.round(clock.elapsed() - began);
    logger.info({ elapsed_ms, backup: copy }, `Copied the database to ${copy}.`);
  }

  #underWay(): UnderWay | undefined {
    try {
      return JSON.parse(readFileSync(this.#note, 'utf8')) as UnderWay;
    } catch {
      return undefined;
    }
  }

  #removeOld(newest: string): void {
    const others = this.#copies().filter((copy) => copy !== newest);
    for (const copy of others.slice(0, Math.max(0, others.length + 1 - KEPT))) rmSync(copy, { force: true });
  }

  /** The oldest first. */
  #copies(): string[] {
    if (!existsSync(this.#directory)) return [];
    const prefix = `${this.#name}-`;
    return readdirSync(this.#directory)
      .filter((name) => name.startsWith(prefix) && COPY.test(name.slice(prefix.length)))
      .sort()
      .map((name) => join(this.#directory, name));
  }

  /** UTC to the second, and fit for the name of a file: `20260131T235959Z`. */
  #stamp(): string {
    return `${isoTime(this.#options.clock.now()).replaceAll(/[-:]|\..*/g, '')}Z`;
  }
}

/** Or a cut of power could leave the changed tables and not the copy. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function fileName(step: string): string {
  return step.replaceAll(/[^\w.-]/g, '_');
}

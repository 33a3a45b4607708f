import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { Bulkhead } from '../../support/bulkhead.ts';
import type { Clock } from '../../support/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Transaction } from '../database.ts';
import { type ChangeLog, ChangeWatch } from '../invalidation/change-watch.ts';
import { Invalidator } from '../invalidation/invalidator.ts';
import { backupOfOperators } from '../migrations/upgrade.ts';
import type { OpenDatabase } from '../kernel-database.ts';
import type { DatabaseSettings } from '../settings.ts';
import { refuseNul } from '../storable.ts';
import { unavailable } from '../unavailable.ts';
import { Checkpoints } from './checkpoints.ts';
import { FileSync } from './file-sync.ts';
import { knexOnFile } from './knex-client.ts';
import { openFailure } from './open-failure.ts';
import { SqliteReader } from './reader.ts';
import { SqliteUpgradeBackup } from './upgrade-backup.ts';
import { SqliteWriter } from './writer.ts';

/** How long a write waits for another one: the longest of ours take seconds, and callers wait no longer for a record. */
const BUSY_TIMEOUT_MS = 5_000;

/** Time for a log line to be written. */
const LOGGED_MS = 300;

/** How long changes may lie only in the write-ahead log while there are few writes. */
const KEEP_UP_EVERY_MS = 2_000;

const SIZE = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()';

export interface SqliteOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds that a write waits for another one; 5,000 by default. */
  readonly busyTimeoutMs?: number | undefined;
}

/** Opens a SQLite file, or creates it and its directory with owner-only rights. */
export async function openSqlite(
  file: string,
  settings: DatabaseSettings,
  { logger, clock, busyTimeoutMs = BUSY_TIMEOUT_MS }: SqliteOptions,
): Promise<OpenDatabase> {
  const backup = new SqliteUpgradeBackup({ file, logger, clock });
  const { knex, data } = await openFile(file, busyTimeoutMs, logger).catch((error: unknown) => {
    throw openFailure(file, error, backup.backupLocation());
  });
  const reader = new SqliteReader(file, busyTimeoutMs);
  const writer = new SqliteWriter({ file, busyTimeoutMs }, logger);
  const oneWriter = writeMutex(busyTimeoutMs);
  const copier = new SqliteWriter({ file, busyTimeoutMs }, logger);
  const checkpoints = new Checkpoints(
    {
      beside: () => copier.checkpoint(),
      sync: () => data.sync(),
      between: () => oneWriter.run(() => writer.checkpoint()),
      crash: () => setTimeout(() => process.abort(), LOGGED_MS),
    },
    logger,
  );
  const keepingUp = setInterval(() => checkpoints.keepUp(), KEEP_UP_EVERY_MS).unref();
  const changes = changesOfFile(writer);
  const invalidation = new Invalidator(changes, logger);
  const watch = new ChangeWatch(changes, (seen) => invalidation.notify(seen));
  const alive = reader.read('SELECT 1');
  const size = reader.read<{ bytes: number }>(SIZE);
  let closing: Promise<void> | undefined;
  return {
    engine: 'sqlite',
    knex,
    description: `SQLite ${file}`,
    invalidation,
    upgradeBackup: settings.backup_before_upgrade
      ? backup
      : backupOfOperators(logger, 'No backup is made, since database.backup_before_upgrade is false.'),
    transaction: (work) => oneWriter.run(() => invalidation.transaction(knex, work)),
    alone: (work) => oneWriter.run(() => withForeignKeysOff(knex, work)),
    read: (sql) => reader.read(sql),
    write: async (batch, updates = []) => {
      for (const { rows } of batch) refuseNul(rows);
      refuseNul(updates.map(({ values }) => values));
      const log = await oneWriter.run(() => writer.write(batch, updates));
      if (log) checkpoints.wrote(log);
    },
    poolUse: () => ({
      used: oneWriter.running,
      idle: 1 - oneWriter.running,
      max: 1,
      waiting: oneWriter.queued,
    }),
    watchChanges: () => watch.start(),
    ping: async () => void (await alive.first()),
    size: async () => (await size.first())!.bytes,
    close: () => {
      watch.stop();
      clearInterval(keepingUp);
      return (closing ??= closeAll({ checkpoints, knex, reader, writers: [copier, writer], data }));
    },
  };
}

interface OpenFile {
  readonly knex: Knex;
  readonly data: FileSync;
}

async function openFile(file: string, busyTimeoutMs: number, logger: Logger): Promise<OpenFile> {
  let knex: Knex | undefined;
  let data: FileSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    // Opened before any connection, because closing it earlier would release their locks.
    data = new FileSync(file);
    knex = knexOnFile(file, busyTimeoutMs, logger);
    await knex.raw('SELECT count(*) FROM sqlite_master');
    return { knex, data };
  } catch (error) {
    await knex?.destroy();
    data?.close();
    throw error;
  }
}

/** SQLite allows one writer, and its own wait for the lock would block the main loop. */
function writeMutex(timeoutMs: number): Bulkhead {
  return new Bulkhead({
    limit: 1,
    queueLimit: Infinity,
    waitMs: timeoutMs,
    refuse: () => unavailable(new Error(`the writer was not free within ${timeoutMs} ms`)),
  });
}

/** SQLite reports that another connection has written to the file, but not what it has written. */
function changesOfFile(writer: SqliteWriter): ChangeLog {
  return {
    record: async () => undefined,
    poll: async () => ((await writer.poll()) ? 'everything' : []),
  };
}

/** Altering a table rebuilds it, and dropping the old table would cascade to the tables that refer to it. */
async function withForeignKeysOff<T>(knex: Knex, work: (trx: Transaction) => Promise<T>): Promise<T> {
  await knex.raw('PRAGMA foreign_keys = OFF');
  try {
    return await knex.transaction(async (trx) => {
      const result = await work(trx);
      const broken = (await trx.raw('PRAGMA foreign_key_check')) as { table: string; parent: string }[];
      if (!broken[0]) return result;
      throw new Error(
        `${broken.length} rows of ${broken[0].table} would lose their row of ${broken[0].parent}.`,
      );
    });
  } finally {
    await knex.raw('PRAGMA foreign_keys = ON');
  }
}

interface Open extends OpenFile {
  readonly checkpoints: Checkpoints;
  readonly reader: SqliteReader;
  readonly writers: readonly SqliteWriter[];
}

async function closeAll({ checkpoints, knex, reader, writers, data }: Open): Promise<void> {
  await checkpoints.stop();
  for (const writer of writers) await writer.close();
  reader.close();
  await knex.destroy();
  data.close();
}

import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Database, Transaction } from './database.ts';
import { locate } from './location.ts';
import { openPostgres } from './postgres/open.ts';
import type { DatabaseSettings } from './settings.ts';
import type { Signals } from './signals.ts';
import { openSqlite } from './sqlite/open.ts';

/** The installation's database with its connections open. */
export interface OpenDatabase extends Database {
  readonly signals: Signals;
  /** Engine and place, for a log line; no credentials. */
  readonly description: string;
  /**
   * Runs one step of a plugin's tables in a transaction: alone among all instances, without time-outs, and with
   * foreign keys checked at its end only.
   */
  alone<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Finishes the writes under way and lets go of every connection. May be called again. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `DATABASE_URL`; empty means the default file in `dataDir`. */
  readonly url: string;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: DatabaseSettings;
}

/** Opens the database named by `DATABASE_URL`. Throws `StartupError` when it is misnamed or does not answer. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { logger, clock, settings } = options;
  const began = clock.elapsed();
  const location = locate(options.url, options.dataDir);
  const database =
    location.engine === 'sqlite'
      ? await openSqlite(location.file, settings, logger)
      : await openPostgres(location, settings, logger);
  logger.info(
    { engine: database.engine, elapsed_ms: Math.round(clock.elapsed() - began) },
    `Opened the database: ${database.description}.`,
  );
  return database;
}

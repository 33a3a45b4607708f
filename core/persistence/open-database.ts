import type { Clock } from '../support/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { locate } from './location.ts';
import type { OpenDatabase } from './kernel-database.ts';
import { openPostgres } from './postgres/open.ts';
import type { DatabaseSettings } from './settings.ts';
import { openSqlite } from './sqlite/open.ts';

export interface DatabaseOptions {
  /** `DATABASE_URL`; empty means the default file in `dataDir`. */
  readonly url: string;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: DatabaseSettings;
  /** Milliseconds that a write on SQLite waits for another one; 5,000 by default. */
  readonly busyTimeoutMs?: number | undefined;
}

/** Opens the database named by `DATABASE_URL`. Throws `StartupError` when the URL is invalid or the database does not answer. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { logger, clock, settings, busyTimeoutMs } = options;
  const began = clock.elapsed();
  const location = locate(options.url, options.dataDir);
  const database =
    location.engine === 'sqlite'
      ? await openSqlite(location.file, settings, { logger, clock, busyTimeoutMs })
      : await openPostgres(location, settings, logger);
  logger.info(
    { engine: database.engine, elapsed_ms: Math.round(clock.elapsed() - began) },
    `Opened the database: ${database.description}.`,
  );
  return database;
}

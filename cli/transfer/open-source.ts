import type { DatabaseLocation } from '../../core/persistence/location.ts';
import { openPostgresSource } from './postgres/postgres-source.ts';
import type { RowSource } from './row-source.ts';
import { openSqliteSource } from './sqlite/sqlite-source.ts';

/** Opens a database to be read as it is now. Throws `StartupError` when it cannot be opened. */
export async function openSource(location: DatabaseLocation): Promise<RowSource> {
  return location.engine === 'sqlite' ? openSqliteSource(location.file) : openPostgresSource(location);
}

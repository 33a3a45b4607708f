import type { DatabaseLocation } from '../../core/persistence/location.ts';
import { openPostgresSource } from './postgres/postgres-source.ts';
import { openPostgresTarget } from './postgres/postgres-target.ts';
import type { RowSource } from './row-source.ts';
import type { RowTarget } from './row-target.ts';
import { openSqliteSource } from './sqlite/sqlite-source.ts';
import { openSqliteTarget } from './sqlite/sqlite-target.ts';

/** Opens a database to be read as it is now. Throws `StartupError` when it cannot be opened. */
export async function openSource(location: DatabaseLocation): Promise<RowSource> {
  return location.engine === 'sqlite' ? openSqliteSource(location.file) : openPostgresSource(location);
}

/** Opens a database to be loaded. Throws `StartupError` when it cannot be opened. */
export async function openTarget(location: DatabaseLocation): Promise<RowTarget> {
  return location.engine === 'sqlite' ? openSqliteTarget(location.file) : openPostgresTarget(location);
}

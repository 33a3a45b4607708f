import type { DatabaseLocation } from '../../core/persistence/location.ts';
import { openPostgresTarget } from './postgres/postgres-target.ts';
import type { RowTarget } from './row-target.ts';
import { openSqliteTarget } from './sqlite/sqlite-target.ts';

/** Opens a database to be loaded. Throws `StartupError` when it cannot be opened. */
export async function openTarget(location: DatabaseLocation): Promise<RowTarget> {
  return location.engine === 'sqlite' ? openSqliteTarget(location.file) : openPostgresTarget(location);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coreMigrations } from '../../core/persistence/migrations/core-migrations.ts';
import { packageRoot } from '../../core/support/package-root.ts';
import { builtInPlugins, type MigrationLock, type PluginTables } from '../../core/testing.ts';

/** Where the lock of the kernel's and the built-in plugins' steps is. */
export const lockPath = join(packageRoot, 'test/architecture/migrations.lock.json');

/** The kernel and the built-in plugins. */
export async function builtInTables(): Promise<readonly PluginTables[]> {
  return [coreMigrations, ...(await builtInPlugins())];
}

/** The lock as it is checked in; empty where there is none. */
export function readLock(): MigrationLock {
  return existsSync(lockPath) ? (JSON.parse(readFileSync(lockPath, 'utf8')) as MigrationLock) : {};
}

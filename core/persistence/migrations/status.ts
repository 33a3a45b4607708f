import { StartupError } from '../../errors/startup-error.ts';
import type { Database } from '../database.ts';
import { appliedSteps, type PluginMigrations } from './ledger.ts';

/** Which steps of a plugin were applied to a database. */
export interface MigrationStatus {
  readonly plugin: string;
  readonly applied: string[];
  readonly pending: string[];
  /** Applied steps that are not in the code. */
  readonly unknown: string[];
}

/** The applied and the pending steps of each plugin; all are pending without a database. Changes nothing. */
export async function migrationStatus(
  database: Database | undefined,
  plugins: readonly PluginMigrations[],
): Promise<MigrationStatus[]> {
  const ids = plugins.map(({ id }) => id);
  const steps = database && (await appliedSteps(database.knex, database.engine, ids));
  return plugins.map(({ id, migrations }) => {
    const ran = steps?.get(id) ?? [];
    const names = migrations.map(({ name }) => name);
    return {
      plugin: id,
      applied: names.filter((name) => ran.includes(name)),
      pending: names.filter((name) => !ran.includes(name)),
      unknown: ran.filter((name) => !names.includes(name)),
    };
  });
}

/**
 * Throws `StartupError` when the database has steps that the code does not know. `backupLocation` is a sentence that says
 * where backups are, or empty.
 */
export function refuseUnknownSteps(status: readonly MigrationStatus[], backupLocation: string): void {
  const foreign = status.filter(({ unknown }) => unknown.length > 0);
  if (foreign.length === 0) return;
  const findings = foreign.map(
    ({ plugin, unknown }) => `Plugin "${plugin}": the database has ${unknown.join(', ')}.`,
  );
  const reason = foreign.some(isUnreleased) ? UNRELEASED : `${NEWER} ${backupLocation}`.trimEnd();
  throw new StartupError(
    [...findings, reason].join('\n'),
    findings.map((message) => ({ message })),
    {
      plugins: foreign.map(({ plugin }) => plugin),
    },
  );
}

/** Every release has the first step of a plugin, so a database without it is older than the first release. */
function isUnreleased({ pending, applied }: MigrationStatus): boolean {
  return applied.length === 0 && pending.length > 0;
}

const NEWER =
  'This version does not know these steps: a newer one ran here, or they were renamed or removed. ' +
  'Install that one again, put them back, or restore a backup from before.';
const UNRELEASED =
  'This version does not know these steps: the database was made by a version from before the first release. ' +
  'It cannot be upgraded, and nothing in it was changed. ' +
  'Name an empty database in DATABASE_URL, or go on with the version that made this one.';

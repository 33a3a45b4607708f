import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { OpenDatabase } from '../kernel-database.ts';
import { refuseUnfinishedTransfer } from './unfinished-transfer.ts';
import { appliedSteps, migratorConfig, type PluginMigrations, type Migration } from './ledger.ts';
import { migrationStatus, refuseUnknownSteps } from './status.ts';
import { Upgrade, BackupFailed } from './upgrade.ts';

/** The steps of a plugin that this run applied. */
export interface AppliedMigrations {
  readonly plugin: string;
  readonly applied: string[];
}

/**
 * Brings the tables of every plugin up to date, in the given order. Each step is one transaction under a lock for all
 * instances, and is rolled back completely when it fails. A database with tables is backed up before the first step.
 * Throws `StartupError` that names plugin, step and reason, and how to go back; also for a database into which another one
 * is loaded, unless that is what the caller does (`isLoading`).
 */
export async function migrate(
  database: OpenDatabase,
  plugins: readonly PluginMigrations[],
  { logger, isLoading = false }: { readonly logger: Logger; readonly isLoading?: boolean },
): Promise<AppliedMigrations[]> {
  if (!isLoading) await refuseUnfinishedTransfer(database);
  const status = await migrationStatus(database, plugins);
  refuseUnknownSteps(status, database.upgradeBackup.backupLocation());
  const hasTables = status.some(({ applied }) => applied.length > 0);
  const upgrade = hasTables ? new Upgrade(database.upgradeBackup) : undefined;
  const done: AppliedMigrations[] = [];
  for (const plugin of plugins) {
    const pending = status.find(({ plugin: id }) => id === plugin.id)?.pending ?? [];
    const applied: string[] = [];
    for (const step of plugin.migrations.filter(({ name }) => pending.includes(name))) {
      if (await applyStep({ database, plugin, upgrade }, step)) applied.push(step.name);
      upgrade?.applied();
    }
    if (applied.length > 0) logger.info({ plugin: plugin.id, applied }, 'Brought tables up to date.');
    done.push({ plugin: plugin.id, applied });
  }
  upgrade?.completed();
  return done;
}

interface Surroundings {
  readonly database: OpenDatabase;
  readonly plugin: PluginMigrations;
  readonly upgrade: Upgrade | undefined;
}

/** Applies a step; false when another instance has already applied it. */
async function applyStep({ database, plugin, upgrade }: Surroundings, { name }: Migration): Promise<boolean> {
  try {
    return await database.alone(async (trx) => {
      const steps = await appliedSteps(trx, database.engine, [plugin.id]);
      if (steps.get(plugin.id)!.includes(name)) return false;
      await upgrade?.begin(`${plugin.id}.${name}`);
      await trx.migrate.up({ ...migratorConfig(plugin, database.engine), name });
      return true;
    });
  } catch (error) {
    if (error instanceof BackupFailed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const wayBack = upgrade ? `\n${upgrade.failed()}` : '';
    throw new StartupError(
      `Plugin "${plugin.id}": the migration "${name}" failed and was rolled back: ${reason}${wayBack}`,
      [],
      { cause: error, plugins: [plugin.id] },
    );
  }
}

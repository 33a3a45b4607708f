import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Database } from '../database.ts';
import type { OpenDatabase } from '../opened-database.ts';
import { ownTables } from './foreign-changes.ts';
import { appliedNames, migratorConfig, tablePrefix, type PluginMigrations } from './ledger.ts';
import type { Migration } from './migration.ts';
import { changedSteps, readPrints, rememberSteps } from './step-prints.ts';
import { Upgrade } from './upgrade.ts';
import { BackupFailed } from './upgrade-backup.ts';

export interface AppliedMigrations {
  readonly plugin: string;
  readonly applied: string[];
}

/**
 * `unknown` ones ran here and are not in the code: a newer version of the plugin was here. `changed` ones were edited
 * since they ran.
 */
export interface MigrationStatus extends AppliedMigrations {
  readonly pending: string[];
  readonly unknown: string[];
  readonly changed: string[];
}

const REWORDED =
  'These steps ran here with another release of knex, and say something else to the database now. It may be a matter of wording, ' +
  'or they were edited: compare them with the release before. From now on they are held to what they say now.';

/** Which steps of each plugin ran here, which did not yet, and which ran but are not what they were. Changes nothing. */
export async function migrationStatus(
  database: Database,
  plugins: readonly PluginMigrations[],
): Promise<MigrationStatus[]> {
  const all: MigrationStatus[] = [];
  const prints = (await readPrints(database)) ?? [];
  for (const plugin of plugins) {
    const { id, migrations } = plugin;
    const ran = await appliedNames(database.knex, id);
    const names = migrations.map(({ name }) => name);
    all.push({
      plugin: id,
      applied: names.filter((name) => ran.includes(name)),
      pending: names.filter((name) => !ran.includes(name)),
      unknown: ran.filter((name) => !names.includes(name)),
      changed: await changedSteps(prints, database.engine, plugin),
    });
  }
  return all;
}

/**
 * Brings every plugin's tables up to date, in the order given. Each step is one transaction under a lock that holds
 * for all instances, and is rolled back whole when it fails. Tables that hold data are backed up before the first one.
 * Throws `StartupError` that names plugin, step and reason, and the way back.
 */
export async function migrate(
  database: OpenDatabase,
  plugins: readonly PluginMigrations[],
  { logger }: { readonly logger: Logger },
): Promise<AppliedMigrations[]> {
  const status = await migrationStatus(database, plugins);
  refuse(status, database.upgradeBackup.whereKept());
  const upgrade = await upgradeOf(database, status);
  const done: AppliedMigrations[] = [];
  for (const plugin of plugins) {
    const pending = status.find(({ plugin: id }) => id === plugin.id)?.pending ?? [];
    const isOwn = ownTables(
      plugin.id,
      plugins.map(({ id }) => id),
    );
    const applied: string[] = [];
    for (const step of plugin.migrations.filter(({ name }) => pending.includes(name))) {
      if (await applyStep({ database, plugin, upgrade, isOwn }, step)) applied.push(step.name);
    }
    if (applied.length > 0) logger.info({ plugin: plugin.id, applied }, 'Brought tables up to date.');
    done.push({ plugin: plugin.id, applied });
  }
  const reworded = await rememberSteps(database, plugins);
  if (reworded.length > 0) logger.warn({ steps: reworded }, REWORDED);
  database.upgradeBackup.end();
  return done;
}

function refuse(status: readonly MigrationStatus[], whereKept: string): void {
  const findings = status.flatMap(({ plugin, unknown, changed }) => [
    ...(unknown.length === 0 ? [] : [`${unknownSteps(plugin, unknown)} ${whereKept}`.trimEnd()]),
    ...(changed.length === 0 ? [] : [editedSteps(plugin, changed)]),
  ]);
  if (findings.length === 0) return;
  const plugins = status
    .filter(({ unknown, changed }) => unknown.length + changed.length > 0)
    .map(({ plugin }) => plugin);
  throw new StartupError(findings.join('\n'), findings, { plugins });
}

function unknownSteps(plugin: string, names: readonly string[]): string {
  return (
    `Plugin "${plugin}": the database has ${names.join(', ')}, which this version of the plugin does not know. ` +
    'A newer version ran here; install that one again, or restore a backup from before.'
  );
}

function editedSteps(plugin: string, names: readonly string[]): string {
  return (
    `Plugin "${plugin}": ${names.join(', ')} ran on this database and was edited since, so its tables are not what the plugin takes them for. ` +
    'Put the step back as it was, and write the change as a new one.'
  );
}

/** Undefined where nothing is pending, and where no start was through yet: there is nothing to lose then. */
async function upgradeOf(
  database: OpenDatabase,
  status: readonly MigrationStatus[],
): Promise<Upgrade | undefined> {
  if (status.every(({ pending }) => pending.length === 0)) return undefined;
  const prints = await readPrints(database);
  if (!prints?.length) return undefined;
  const ran = status.flatMap(({ plugin, applied }) => applied.map((name) => fullName(plugin, name)));
  return new Upgrade(database.upgradeBackup, ran);
}

function fullName(plugin: string, step: string): string {
  return `${plugin}.${step}`;
}

interface Surroundings {
  readonly database: OpenDatabase;
  readonly plugin: PluginMigrations;
  readonly upgrade: Upgrade | undefined;
  readonly isOwn: (table: string) => boolean;
}

/** False when another instance applied it meanwhile. */
async function applyStep(
  { database, plugin, upgrade, isOwn }: Surroundings,
  step: Migration,
): Promise<boolean> {
  try {
    return await database.alone(async (trx) => {
      if ((await appliedNames(trx, plugin.id)).includes(step.name)) {
        upgrade?.beganElsewhere();
        return false;
      }
      await upgrade?.begin(fullName(plugin.id, step.name));
      const foreign = await database.foreignChanges(trx, {
        run: () => trx.migrate.up({ ...migratorConfig(plugin, database.engine), name: step.name }),
        isOwn,
        holdsData: upgrade !== undefined,
      });
      if (foreign.length > 0) throw foreignTables(foreign, plugin.id);
      return true;
    });
  } catch (error) {
    if (error instanceof BackupFailed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const wayBack = upgrade ? `\n${upgrade.wayBack()}` : '';
    throw new StartupError(
      `Plugin "${plugin.id}": the migration "${step.name}" failed and was rolled back: ${reason}${wayBack}`,
      [],
      { cause: error, plugins: [plugin.id] },
    );
  }
}

function foreignTables(names: readonly string[], plugin: string): Error {
  return new Error(
    `it creates, changes, drops or writes into ${names.join(', ')}, but the tables of this plugin begin with "${tablePrefix(plugin)}". ` +
      'A foreign key to a table changes it as well.',
  );
}

import type { Knex } from 'knex';
import type { Connection, Engine } from '../database.ts';
import type { Migration } from './migration.ts';

/** The migration steps of a plugin. */
export interface PluginMigrations {
  readonly id: string;
  readonly migrations: readonly Migration[];
}

/** The prefix of every table of a plugin. */
export function tablePrefix(pluginId: string): string {
  return `${pluginId.replaceAll('-', '_')}_`;
}

export function ledgerTable(pluginId: string): string {
  return `${tablePrefix(pluginId)}migrations`;
}

/** The names of the applied steps of a plugin, in order; none when the plugin was never installed. */
export async function appliedNames(connection: Connection, pluginId: string): Promise<string[]> {
  const table = ledgerTable(pluginId);
  if (!(await connection.schema.hasTable(table))) return [];
  const rows = (await connection(table).select('name').orderBy('id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Configures the migrator of knex for steps in code, with a ledger and a lock table for each plugin. */
export function migratorConfig({ id, migrations }: PluginMigrations, engine: Engine): Knex.MigratorConfig {
  const source: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({
      up: (trx) => up(trx as Knex.Transaction, engine),
      down: () => Promise.reject(new Error('Steps are never undone; add a new one.')),
    }),
  };
  return { migrationSource: source, tableName: ledgerTable(id) };
}

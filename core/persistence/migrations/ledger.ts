import type { Knex } from 'knex';
import type { Connection, Engine } from '../database.ts';
import type { Migration } from './migration.ts';

/** A plugin's steps, as the kernel collects them. */
export interface PluginMigrations {
  readonly id: string;
  readonly migrations: readonly Migration[];
}

/** What every table of a plugin begins with. */
export function tablePrefix(pluginId: string): string {
  return `${pluginId.replaceAll('-', '_')}_`;
}

export function ledgerTable(pluginId: string): string {
  return `${tablePrefix(pluginId)}migrations`;
}

/** The names of the steps that ran here, in their order; none when the plugin was never here. */
export async function appliedNames(connection: Connection, pluginId: string): Promise<string[]> {
  const table = ledgerTable(pluginId);
  if (!(await connection.schema.hasTable(table))) return [];
  const rows = (await connection(table).select('name').orderBy('id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** knex's own migrator on steps that are code; it keeps the plugin's ledger, and its lock beside it. */
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

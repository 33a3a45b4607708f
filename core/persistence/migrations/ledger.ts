import type { Knex } from 'knex';
import type { Connection, Engine, Transaction } from '../database.ts';

/** One step of a plugin's tables. It runs once, and is never edited after a release: a change is a new step. */
export interface Migration {
  /** Without extension, in order: `0001_tables`. */
  readonly name: string;
  /** Runs in a transaction of its own and must use only that. Tables are `<plugin>_<plural>`, hyphens as underscores. */
  readonly up: (trx: Transaction, engine: Engine) => Promise<void>;
}

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

/**
 * The names of the applied steps of plugins, in order, by the id of the plugin; none of one that was never installed. Two
 * queries for all of them, since every start asks.
 */
export async function appliedSteps(
  connection: Connection,
  engine: Engine,
  pluginIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const applied = new Map<string, string[]>(pluginIds.map((id) => [id, []]));
  const tables = new Set(await tableNames(connection, engine));
  const installed = pluginIds.filter((id) => tables.has(ledgerTable(id)));
  if (installed.length === 0) return applied;
  const ledgers = installed.map((id) =>
    connection(ledgerTable(id)).select(connection.raw('CAST(? AS text) AS plugin', [id]), 'id', 'name'),
  );
  const rows: { plugin: string; name: string }[] = await connection.unionAll(ledgers).orderBy('id');
  for (const { plugin, name } of rows) applied.get(plugin)!.push(name);
  return applied;
}

function tableNames(connection: Connection, engine: Engine): PromiseLike<string[]> {
  return engine === 'sqlite'
    ? connection('sqlite_master').where({ type: 'table' }).pluck('name')
    : connection('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');
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

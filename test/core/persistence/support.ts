import { readFileSync, writeFileSync } from 'node:fs';
import type { Database, Engine, Transaction } from '../../../core/persistence/database.ts';
import { openDatabase } from '../../../core/persistence/open-database.ts';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import type { PluginMigrations } from '../../../core/persistence/migrations/ledger.ts';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import type { DatabaseSettings } from '../../../core/persistence/settings.ts';
import { makeScratch, systemClock } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';

export const settings: DatabaseSettings = {
  url: '',
  pool_size: 4,
  connect_timeout_ms: 1_000,
  statement_timeout_ms: 5_000,
  backup_before_upgrade: true,
};

/** Opens a database as the service does. */
export async function openAt(
  url: string,
  { busyTimeoutMs = 1_000, ...more }: Partial<DatabaseSettings> & { readonly busyTimeoutMs?: number } = {},
): Promise<OpenDatabase> {
  const database = await openDatabase({
    url,
    dataDir: '.',
    logger: quiet,
    clock: systemClock,
    settings: { ...settings, ...more },
    busyTimeoutMs,
  });
  database.watchChanges();
  return database;
}

/** An empty database of the engine for one suite. */
export class TestDatabase {
  database!: OpenDatabase;
  url = '';
  #remove: () => Promise<void> = async () => undefined;

  async open(engine: Engine, plugins: readonly PluginMigrations[] = []): Promise<void> {
    const scratch = await makeScratch(engine);
    this.#remove = () => scratch.remove();
    this.url = scratch.databaseUrl;
    this.database = await openAt(this.url);
    await migrate(this.database, plugins, { logger: quiet });
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.#remove();
  }
}

const TABLES: Record<Engine, string> = {
  sqlite:
    "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name",
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY name',
};

/** Of all tables, in order. */
export async function tableNames({ engine, read }: Database): Promise<string[]> {
  const rows = await read<{ name: string }>(TABLES[engine]).all();
  return rows.map(({ name }) => name);
}

/** A table with every kind of column, and one that refers to it. */
export const shop: PluginMigrations = {
  id: 'shop',
  migrations: [
    {
      name: '0001_items',
      up: async (trx: Transaction) => {
        await trx.schema.createTable('shop_items', (table) => {
          table.text('id').primary();
          table.text('name').notNullable();
          table.text('owner').notNullable().defaultTo('nobody');
          table.bigInteger('sold').notNullable().defaultTo(0);
          table.double('price');
          table.boolean('listed').notNullable().defaultTo(false);
          table.text('details');
          table.unique(['owner', 'name']);
          table.check('?? >= 0', ['sold'], 'shop_items_sold');
        });
        await trx.schema.createTable('shop_parts', (table) => {
          table.text('id').primary();
          table.text('item_id').notNullable().references('id').inTable('shop_items').onDelete('CASCADE');
        });
      },
    },
  ],
};

const PAGE = 4096;

/** Damages every page of a SQLite file but the first, which has its schema. */
export function overwriteAfterFirstPage(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, PAGE));
}

/** What a promise failed with; fails when it did not. */
export async function failure(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

import type { PluginMigrations } from './ledger.ts';

/** The kernel's own tables, made before those of any plugin. */
export const coreMigrations: PluginMigrations = {
  id: 'core',
  migrations: [
    {
      name: '0001_tables',
      up: async (trx, engine) => {
        // SQLite counts the changes of its file by itself.
        if (engine === 'sqlite') return;
        await trx.schema.createTable('core_changes', (table) => {
          table.text('topic').primary();
          table.bigInteger('changes').notNullable();
          table.text('key');
        });
      },
    },
  ],
};

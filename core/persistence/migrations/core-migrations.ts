import type { PluginMigrations } from './ledger.ts';

/** The tables of the kernel, created before those of any plugin. */
export const coreMigrations: PluginMigrations = {
  id: 'core',
  migrations: [
    {
      name: '0001_jobs_and_changes',
      up: async (trx, engine) => {
        await trx.schema.createTable('core_jobs', (table) => {
          table.text('job').primary();
          table.bigInteger('due_at').notNullable();
          table.text('holder');
          table.bigInteger('lease_until').notNullable();
          table.bigInteger('ended_at');
          table.bigInteger('duration_ms');
          table.text('fault');
          table.integer('failures').notNullable();
        });
        // SQLite itself counts the changes of its file.
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

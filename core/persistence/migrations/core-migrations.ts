import type { PluginMigrations } from './ledger.ts';

/** The kernel's own tables, made before those of any plugin. */
export const coreMigrations: PluginMigrations = {
  id: 'core',
  migrations: [
    {
      name: '0001_changes',
      up: async (trx, engine) => {
        // SQLite tells by itself that its file was changed.
        if (engine === 'sqlite') return;
        await trx.schema.createTable('core_changes', (table) => {
          table.text('topic').primary();
          table.bigInteger('changes').notNullable();
        });
      },
    },
    {
      name: '0002_step_prints',
      up: async (trx) => {
        await trx.schema.createTable('core_step_prints', (table) => {
          table.text('plugin').notNullable();
          table.text('step').notNullable();
          table.text('form').notNullable();
          table.text('fingerprint').notNullable();
          table.primary(['plugin', 'step']);
        });
      },
    },
    {
      name: '0003_jobs',
      up: async (trx) => {
        await trx.schema.createTable('core_jobs', (table) => {
          table.text('job').primary();
          table.bigInteger('due_at').notNullable();
          table.text('holder');
          table.bigInteger('lease_until').notNullable();
          table.bigInteger('started_at');
          table.bigInteger('ended_at');
          table.bigInteger('duration_ms');
          table.text('fault');
          table.integer('failures').notNullable();
        });
      },
    },
  ],
};

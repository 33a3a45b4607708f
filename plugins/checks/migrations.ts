import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('checks_states', (table) => {
        table.text('version_id').primary();
        table.text('algorithm_id').notNullable().index();
        table.text('state').notNullable().index();
        table.text('since');
        table.text('checked_at').notNullable();
        table.text('revision').notNullable();
        table.integer('failed_runs').notNullable();
        table.boolean('is_reported').notNullable();
      });
      await trx.schema.createTable('checks_runs', (table) => {
        table.text('id').primary();
        table.text('version_id').notNullable();
        table.text('algorithm_id').notNullable().index();
        table.boolean('passed').notNullable();
        table.text('asked_by');
        table.text('started_at').notNullable();
        table.double('seconds').notNullable();
        table.text('examples').notNullable();
        table.index(['version_id', 'id']);
      });
    },
  },
];

import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('samples_seedings', (table) => {
        table.text('name').primary();
        table.text('algorithm_id');
        table.text('claimed_at').notNullable();
        table.text('seeded_at');
      });
    },
  },
];

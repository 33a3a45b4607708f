import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_seedings',
    up: async (trx) => {
      await trx.schema.createTable('samples_seedings', (table) => {
        table.text('name').primary();
        table.text('claimed_at').notNullable();
        table.text('seeded_at');
      });
    },
  },
  {
    name: '0002_algorithms',
    up: async (trx) => {
      await trx.schema.alterTable('samples_seedings', (table) => {
        table.text('algorithm_id');
      });
    },
  },
];

import type { Migration } from '../../../core/index.ts';

export const payloadMigrations: readonly Migration[] = [
  {
    name: '0010_payload_policies',
    up: async (trx) => {
      await trx.schema.createTable('invocation_payload_policies', (table) => {
        table.text('algorithm_id').primary();
        table.text('policy').notNullable();
        table.text('updated_by').notNullable();
        table.text('updated_at').notNullable();
      });
    },
  },
];

import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('api_keys_keys', (table) => {
        table.text('id').primary();
        table.text('user_id').notNullable();
        table.text('name').notNullable();
        table.text('hash').notNullable().unique();
        table.text('mask').notNullable();
        table.text('scopes');
        table.text('algorithms');
        table.text('networks');
        table.text('previous_hash').unique();
        table.text('previous_until');
        table.text('warned_at');
        table.text('expires_at').notNullable();
        table.text('revoked_at');
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.index(['user_id', 'id']);
      });
    },
  },
];

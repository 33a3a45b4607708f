import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('permissions_grants', (table) => {
        table.text('id').primary();
        table.text('algorithm_id').notNullable();
        table.text('grantee_kind').notNullable();
        table.text('grantee_id').notNullable();
        table.text('permission_type').notNullable();
        table.text('granted_by').notNullable();
        table.text('created_at').notNullable();
        table.text('expires_at');
        table.unique(['algorithm_id', 'grantee_kind', 'grantee_id', 'permission_type']);
        table.index(['grantee_kind', 'grantee_id']);
      });
    },
  },
];

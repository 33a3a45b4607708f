import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('repohost_configurations', (table) => {
        table.text('id').primary();
        table.text('server_url').notNullable();
        table.text('access_token').notNullable();
        table.text('default_owner').notNullable();
        table.text('repo_prefix').notNullable();
        table.text('updated_at').notNullable();
      });
    },
  },
];

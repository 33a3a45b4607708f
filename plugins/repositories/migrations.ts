import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('repositories_repositories', (table) => {
        table.text('id').primary();
        table.text('name').notNullable();
        table.text('description').notNullable();
        table.text('type').notNullable();
        table.text('repo_url').notNullable();
        table.text('branch').notNullable();
        table.text('local_path').notNullable();
        table.text('algorithm_id').index();
        table.text('status').notNullable();
        table.text('host');
        table.text('host_server');
        table.text('host_full_name');
        table.text('host_identity');
        table.text('search_text').notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.index(['created_at', 'id']);
        table.unique(['host', 'host_server', 'host_identity']);
      });
    },
  },
];

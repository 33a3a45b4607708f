import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('groups_groups', (table) => {
        table.text('id').primary();
        table.text('name').notNullable();
        table.text('name_key').notNullable().unique();
        table.text('description').notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
      });
      await trx.schema.createTable('groups_members', (table) => {
        table.text('group_id').notNullable();
        table.text('user_id').notNullable();
        table.text('source').notNullable();
        table.text('created_at').notNullable();
        table.primary(['group_id', 'user_id', 'source']);
        table.index(['user_id']);
      });
    },
  },
];

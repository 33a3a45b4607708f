import type { Migration } from 'vitrine';

/** Each step runs once. Never edit one that was released: add another. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_bookmarks',
    up: async (trx) => {
      await trx.schema.createTable('my_plugin_bookmarks', (table) => {
        table.text('user_id').notNullable();
        table.text('algorithm_id').notNullable().index();
        table.text('note').notNullable();
        table.text('created_at').notNullable();
        table.primary(['user_id', 'algorithm_id']);
      });
      await trx.schema.createTable('my_plugin_owners', (table) => {
        table.text('user_id').primary();
      });
    },
  },
];

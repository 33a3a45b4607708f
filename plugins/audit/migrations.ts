import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('audit_entries', (table) => {
        table.text('id').primary();
        table.text('created_at').notNullable();
        table.text('action').notNullable();
        table.text('outcome').notNullable();
        table.text('actor_kind').notNullable();
        table.text('actor_id');
        table.text('actor_name');
        table.text('credential_id');
        table.text('target_kind');
        table.text('target_id');
        table.text('target_name');
        table.text('before');
        table.text('after');
        table.text('address');
        table.text('request_id');
        table.integer('count').notNullable();
        table.text('repeat_key').unique();
        for (const filter of ['actor_id', 'actor_name', 'action', 'target_id', 'target_kind', 'outcome'])
          table.index([filter, 'id']);
      });
    },
  },
];

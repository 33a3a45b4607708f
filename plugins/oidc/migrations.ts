import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('oidc_links', (table) => {
        table.text('id').primary();
        table.text('provider').notNullable();
        table.text('issuer').notNullable();
        table.text('subject').notNullable();
        table.text('user_id').notNullable().index();
        table.text('email');
        table.boolean('gave_admin').notNullable();
        table.text('created_at').notNullable();
        table.unique(['issuer', 'subject']);
      });
      await trx.schema.createTable('oidc_sessions', (table) => {
        table.text('id').primary();
        table.text('user_id').notNullable().index();
        table.text('provider').notNullable();
        table.text('id_token').notNullable();
        table.text('expires_at').notNullable().index();
      });
    },
  },
];

import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx) => {
      await trx.schema.createTable('users_users', (table) => {
        table.text('id').primary();
        table.text('username').notNullable();
        table.text('username_key').notNullable().unique();
        table.text('email').notNullable();
        table.text('email_key').notNullable().unique();
        table.text('password_hash').notNullable();
        table.text('role').notNullable();
        table.text('status').notNullable();
        table.text('tokens_after').notNullable().defaultTo('');
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.index(['role', 'status']);
      });
      await trx.schema.createTable('users_firsts', (table) => {
        table.text('what').primary();
        table.text('user_id').notNullable();
      });
      await trx.schema.createTable('users_known_addresses', (table) => {
        table.text('id').primary();
        table.text('used_at').notNullable().index();
      });
      await trx.schema.createTable('users_token_key', (table) => {
        table.text('id').primary();
        table.text('digest').notNullable();
      });
      await trx.schema.createTable('users_revoked_tokens', (table) => {
        table.text('jti').primary();
        table.text('user_id').notNullable();
        table.text('expires_at').notNullable().index();
      });
      await trx.schema.createTable('users_sessions', (table) => {
        table.text('id').primary();
        table.text('user_id').notNullable();
        table.text('via').notNullable();
        table.text('address').notNullable();
        table.text('user_agent');
        table.text('created_at').notNullable();
        table.text('expires_at').notNullable().index();
        table.index(['user_id', 'created_at']);
      });
      await trx.schema.createTable('users_links', (table) => {
        table.text('id').primary();
        table.text('user_id').notNullable().index();
        table.text('kind').notNullable();
        table.text('digest').notNullable().unique();
        table.text('created_at').notNullable();
        table.text('expires_at').notNullable().index();
        table.text('used_at');
      });
      await trx.schema.createTable('users_records_to_delete', (table) => {
        table.text('user_id').primary();
        table.text('since').notNullable();
      });
      await trx.schema.createTable('users_credential_uses', (table) => {
        table.text('credential_id').primary();
        table.text('last_used_at').notNullable();
      });
    },
  },
];

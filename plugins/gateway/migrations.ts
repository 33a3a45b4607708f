import type { Migration } from '../../core/index.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_counters',
    up: async (trx, engine) => {
      await trx.schema.createTable('gateway_counters', (table) => {
        table.text('outcome').notNullable();
        table.integer('shard').notNullable();
        table.bigInteger('requests').notNullable();
        table.text('updated_at').notNullable();
        table.primary(['outcome', 'shard']);
      });
      // Rows that are updated again and again stay on their page when there is room on it.
      if (engine === 'postgres') await trx.raw('ALTER TABLE gateway_counters SET (fillfactor = 50)');
    },
  },
  {
    name: '0002_rules',
    up: async (trx) => {
      await trx.schema.createTable('gateway_policies', (table) => {
        table.text('id').primary();
        table.text('name').notNullable();
        table.text('subject').notNullable();
        table.text('subject_id').notNullable();
        table.integer('limit');
        table.integer('window_s').notNullable();
        table.integer('concurrency');
        table.boolean('enabled').notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.unique(['subject', 'subject_id']);
      });
      await trx.schema.createTable('gateway_blocks', (table) => {
        table.text('id').primary();
        table.text('subject').notNullable();
        table.text('value').notNullable();
        table.text('reason').notNullable();
        table.text('until');
        table.text('created_by').notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
      });
    },
  },
  {
    name: '0003_windows',
    up: async (trx, engine) => {
      if (engine !== 'postgres') return;
      // Requests counted in the current windows may be forgotten by a crash, so their writes need no sync.
      await trx.raw(`CREATE UNLOGGED TABLE gateway_windows (
        key varchar(255) NOT NULL PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      ) WITH (fillfactor = 50)`);
    },
  },
  {
    name: '0004_routes',
    up: async (trx, engine) => {
      await trx.schema.createTable('gateway_routes', (table) => {
        table.text('id').primary();
        table.text('algorithm_id').notNullable().unique();
        table.text('stable_version_id').notNullable();
        table.text('shares').notNullable();
        table.boolean('sticky').notNullable();
        table.text('applies_to').notNullable();
        table.text('rollback');
        table.integer('revision').notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
      });
      await trx.schema.createTable('gateway_route_changes', (table) => {
        table.text('route_id').notNullable();
        table.integer('revision').notNullable();
        table.text('action').notNullable();
        table.text('changed_by');
        table.text('reason');
        table.text('stable_version_id').notNullable();
        table.text('versions').notNullable();
        table.text('changed_at').notNullable();
        table.primary(['route_id', 'revision']);
      });
      await trx.schema.createTable('gateway_route_calls', (table) => {
        table.text('route_id').notNullable();
        table.integer('revision').notNullable();
        table.text('version_id').notNullable();
        table.bigInteger('slice').notNullable();
        table.integer('shard').notNullable();
        table.bigInteger('calls').notNullable();
        table.bigInteger('failed_calls').notNullable();
        table.bigInteger('expires_at');
        table.primary(['route_id', 'revision', 'version_id', 'slice', 'shard']);
      });
      if (engine === 'postgres') await trx.raw('ALTER TABLE gateway_route_calls SET (fillfactor = 50)');
    },
  },
  {
    name: '0005_refusal_batches',
    up: async (trx) => {
      await trx.schema.createTable('gateway_refusal_batches', (table) => {
        table.text('writer').notNullable();
        table.bigInteger('number').notNullable();
        table.bigInteger('stored_at').notNullable();
        table.primary(['writer', 'number']);
      });
    },
  },
];

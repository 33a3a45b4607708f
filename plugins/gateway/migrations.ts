import type { Migration } from '../../core/index.ts';
import { outcomeRollup } from './counters/gateway-counters.ts';
import { refusalRollup } from './counters/refusal-series.ts';
import { routeCallRollup } from './traffic/route-calls.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_rules_and_counts',
    up: async (trx, engine) => {
      await outcomeRollup.createTable(trx, engine);
      await routeCallRollup.createTable(trx, engine);
      await refusalRollup.createTable(trx, engine);
      await trx.schema.createTable('gateway_refusal_batches', (table) => {
        table.text('id').primary();
      });
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
      if (engine !== 'postgres') return;
      // The table of RateLimiterPostgres. Current windows may be lost in a crash, so their writes need no sync.
      await trx.raw(`CREATE UNLOGGED TABLE gateway_windows (
        key varchar(255) NOT NULL PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      ) WITH (fillfactor = 50)`);
    },
  },
];

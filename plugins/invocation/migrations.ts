import type { Migration } from '../../core/index.ts';
import { errorTotalsMigrations } from './rollups/error-totals.ts';
import { journalMigrations } from './journal/migrations.ts';
import { partitionMigrations } from './partitions/migrations.ts';
import { payloadMigrations } from './payload/migrations.ts';
import { goneMigrations, retentionMigrations } from './retention/migrations.ts';
import { counters, idType } from './table-forms.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_calls',
    up: async (trx, engine) => {
      const id = idType(engine);
      await trx.raw(`CREATE TABLE invocation_calls (
        id ${id} NOT NULL PRIMARY KEY,
        user_id ${id} NOT NULL,
        algorithm_id ${id} NOT NULL,
        version_id ${id} NOT NULL,
        door text NOT NULL,
        status text NOT NULL,
        error_code text,
        error_message text,
        input_data text,
        params text,
        output_data text,
        response_time double precision NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        request_id text
      )`);
      await trx.raw('CREATE INDEX invocation_calls_of_user ON invocation_calls (user_id, id)');
      await trx.raw(
        'CREATE INDEX invocation_calls_of_user_and_algorithm ON invocation_calls (user_id, algorithm_id, id)',
      );
      await trx.raw(
        `CREATE INDEX invocation_calls_without_success ON invocation_calls (user_id, id) WHERE status <> 'success'`,
      );
    },
  },
  {
    name: '0002_totals',
    up: async (trx, engine) => {
      const id = idType(engine);
      await trx.raw(`CREATE TABLE invocation_user_totals (
        user_id ${id} NOT NULL,
        day text NOT NULL,
        algorithm_id ${id} NOT NULL,
        status text NOT NULL,
        shard integer NOT NULL,
        calls bigint NOT NULL,
        response_us bigint NOT NULL,
        PRIMARY KEY (user_id, day, algorithm_id, status, shard)
      ) ${counters(engine)}`);
      await trx.raw(`CREATE TABLE invocation_algorithm_totals (
        algorithm_id ${id} NOT NULL,
        day text NOT NULL,
        status text NOT NULL,
        shard integer NOT NULL,
        calls bigint NOT NULL,
        response_us bigint NOT NULL,
        PRIMARY KEY (algorithm_id, day, status, shard)
      ) ${counters(engine)}`);
    },
  },
  {
    name: '0003_probes',
    up: async (trx) => {
      await trx.raw(
        'CREATE TABLE invocation_probes (name text NOT NULL PRIMARY KEY, probed_at bigint NOT NULL)',
      );
    },
  },
  ...retentionMigrations,
  ...partitionMigrations,
  {
    name: '0007_indexes_of_failures',
    up: async (trx) => {
      await trx.raw('DROP INDEX invocation_calls_without_success');
      await trx.raw(
        `CREATE INDEX invocation_calls_without_success ON invocation_calls (user_id, status, id) WHERE status <> 'success'`,
      );
    },
  },
  {
    // Apart from the step before, for calls of other instances wait while PostgreSQL makes an index.
    name: '0008_index_of_failures_of_algorithms',
    up: async (trx) => {
      await trx.raw(
        `CREATE INDEX IF NOT EXISTS invocation_calls_of_algorithm_without_success
         ON invocation_calls (user_id, algorithm_id, status, id) WHERE status <> 'success'`,
      );
    },
  },
  ...payloadMigrations,
  ...journalMigrations,
  ...goneMigrations,
  ...errorTotalsMigrations,
];

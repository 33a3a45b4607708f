import type { Engine, Migration, Transaction } from '../../core/index.ts';
import { algorithmTotals, userTotals } from './rollups/call-rollups.ts';
import { attach, FIRST } from './partitions/partition.ts';
import { makeSeriesTables } from './rollups/series/tables.ts';
import { idType } from './table-forms.ts';

export const migrations: readonly Migration[] = [
  {
    name: '0001_calls_and_sums',
    up: async (trx, engine) => {
      await makeCalls(trx, engine);
      for (const rollup of [userTotals, algorithmTotals]) {
        await rollup.createTable(trx, engine);
      }
      await makeSeriesTables(trx, engine);
      await makeOpenCalls(trx, engine);
      await trx.raw(
        'CREATE TABLE invocation_probes (name text NOT NULL PRIMARY KEY, probed_at bigint NOT NULL)',
      );
      await makeRetention(trx, engine);
      await makePayloadPolicies(trx);
    },
  },
];

/** The columns that open calls and records share. */
function callColumns(engine: Engine): string {
  const id = idType(engine);
  return `id ${id} NOT NULL PRIMARY KEY,
    user_id ${id} NOT NULL,
    algorithm_id ${id} NOT NULL,
    version_id ${id} NOT NULL,
    channel text NOT NULL,
    status text NOT NULL,
    error_code text,
    error_message text,
    retry_after integer,
    input_data text,
    params text,
    output_data text,
    response_time double precision NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    request_id text,
    payload text`;
}

/**
 * Each index adds about a sixth to the cost of an insert, so there are only three: a user's calls, those of one status,
 * and those of an algorithm by status. Each ends in the id, which is in the order of time. Calls of an algorithm in any
 * status are merged from the ranges of its statuses. On PostgreSQL, months are partitions: see `partitions/`.
 */
async function makeCalls(trx: Transaction, engine: Engine): Promise<void> {
  const isPartitioned = engine === 'postgres';
  await trx.raw(
    `CREATE TABLE invocation_calls (${callColumns(engine)})${isPartitioned ? ' PARTITION BY RANGE (id)' : ''}`,
  );
  await trx.raw('CREATE INDEX invocation_calls_of_user ON invocation_calls (user_id, id)');
  await trx.raw('CREATE INDEX invocation_calls_by_status ON invocation_calls (user_id, status, id)');
  await trx.raw(
    'CREATE INDEX invocation_calls_of_algorithm ON invocation_calls (user_id, algorithm_id, status, id)',
  );
  if (!isPartitioned) return;
  await trx.raw(`CREATE TABLE ${FIRST} (LIKE invocation_calls INCLUDING ALL)`);
  await trx.raw(attach(FIRST, { from: '', until: undefined }));
}

/** Makes the tables of open calls and of the instances that make them. */
async function makeOpenCalls(trx: Transaction, engine: Engine): Promise<void> {
  await trx.raw(
    `CREATE TABLE invocation_open_calls (${callColumns(engine)}, instance ${idType(engine)} NOT NULL)`,
  );
  await trx.raw(
    `CREATE TABLE invocation_instances (id ${idType(engine)} NOT NULL PRIMARY KEY, beats bigint NOT NULL)`,
  );
}

/** Makes the table of how far retention has come. */
async function makeRetention(trx: Transaction, engine: Engine): Promise<void> {
  await trx.raw(
    `CREATE TABLE invocation_retention (name text NOT NULL PRIMARY KEY, horizon ${idType(engine)} NOT NULL)`,
  );
  await trx.raw(`INSERT INTO invocation_retention (name, horizon) VALUES ('records', ''), ('payloads', '')`);
}

async function makePayloadPolicies(trx: Transaction): Promise<void> {
  await trx.schema.createTable('invocation_payload_policies', (table) => {
    table.text('algorithm_id').primary();
    table.text('policy').notNullable();
    table.text('updated_by');
    table.text('updated_at').notNullable();
  });
}

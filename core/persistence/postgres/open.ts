import knexPkg, { type Knex } from 'knex';
import type pg from 'pg';
import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { knexLog } from '../knex-log.ts';
import type { Transaction } from '../database.ts';
import type { DatabaseLocation } from '../location.ts';
import type { OpenDatabase } from '../opened-database.ts';
import type { DatabaseSettings } from '../settings.ts';
import { refuseNul } from '../storable.ts';
import { backupOfOperators } from '../migrations/upgrade-backup.ts';
import { foreignChanges } from './foreign-changes.ts';
import { PostgresKnexClient } from './knex-client.ts';
import { poolFactory } from './pool.ts';
import { PostgresReader } from './reader.ts';
import { PostgresSignals } from './signals.ts';
import { PostgresWriter } from './writer.ts';

type PostgresLocation = DatabaseLocation & { engine: 'postgres' };

/** Enough to keep one batch on its way while another waits for the disk. */
const WRITE_CONNECTIONS = 2;
const HOW_TO_BACK_UP =
  'PostgreSQL is not backed up from here; `pg_dump --format=custom --file=vitrine.dump "$DATABASE_URL"` makes a backup before an upgrade.';

/** Opens a PostgreSQL database, in the schema that comes first in its search path. */
export async function openPostgres(
  { connectionString, shown }: PostgresLocation,
  settings: DatabaseSettings,
  logger: Logger,
): Promise<OpenDatabase> {
  const factory = poolFactory(connectionString, settings, logger);
  const queries = factory.pool({ max: settings.pool_size });
  const reads = factory.pool({ max: settings.read_pool_size });
  const writes = factory.pool({ max: WRITE_CONNECTIONS, pipeline: true });
  const schema = await currentSchema(queries, shown);
  const signals = new PostgresSignals({ factory, schema, logger });
  const knexOn = (pool: pg.Pool): Knex =>
    knexPkg({ client: PostgresKnexClient, connectionPool: pool, log: knexLog(logger) });
  const knex = knexOn(queries);
  const reader = new PostgresReader(reads);
  const writer = new PostgresWriter(writes);
  const alive = reader.read('SELECT 1');
  let closing: Promise<void> | undefined;
  await signals.listen().catch((error: unknown) => giveUp(error, queries, shown));
  return {
    engine: 'postgres',
    knex,
    description: `PostgreSQL ${shown}, schema ${schema}`,
    signals,
    upgradeBackup: backupOfOperators(logger, HOW_TO_BACK_UP),
    transaction: (work) => signals.transaction(knex, work),
    alone: async (work) => {
      const patient = factory.pool({ max: 1, patient: true });
      try {
        return await underLock(knexOn(patient), work);
      } finally {
        await patient.end();
      }
    },
    foreignChanges,
    read: (sql) => reader.read(sql),
    write: async (batch, changes = []) => {
      for (const { rows } of batch) refuseNul(rows);
      refuseNul(changes.map(({ values }) => values));
      await writer.write(batch, changes);
    },
    ping: async () => void (await alive.first()),
    close: () => (closing ??= closeAll(signals, [queries, reads, writes])),
  };
}

async function currentSchema(pool: pg.Pool, shown: string): Promise<string> {
  const question = pool.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const { rows } = await question.catch((error: unknown) => giveUp(error, pool, shown));
  const schema = rows[0]?.schema;
  if (schema) return schema;
  await pool.end();
  throw new StartupError(
    `The database at ${shown} has none of the schemas in its search path. Create the schema, or correct DATABASE_URL.`,
  );
}

async function giveUp(error: unknown, pool: pg.Pool, shown: string): Promise<never> {
  await pool.end();
  throw new StartupError(
    `The database at ${shown} does not answer: ${reasonOf(error)}. Start it, or correct DATABASE_URL.`,
    [],
    { cause: error },
  );
}

/** Several addresses of one host fail together as an error without words of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first.message : String(first);
}

function underLock<T>(knex: Knex, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      "SELECT pg_advisory_xact_lock(hashtextextended('vitrine tables in ' || current_schema(), 0))",
    );
    return work(trx);
  });
}

async function closeAll(signals: PostgresSignals, pools: readonly pg.Pool[]): Promise<void> {
  await signals.close();
  await Promise.all(pools.map((pool) => pool.end()));
}

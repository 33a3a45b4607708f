import type { Knex } from 'knex';
import type pg from 'pg';
import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Transaction } from '../database.ts';
import { ChangeWatch } from '../invalidation/change-watch.ts';
import { Invalidator } from '../invalidation/invalidator.ts';
import type { DatabaseLocation } from '../location.ts';
import { backupOfOperators } from '../migrations/upgrade.ts';
import type { OpenDatabase } from '../kernel-database.ts';
import type { DatabaseSettings } from '../settings.ts';
import { refuseNul } from '../storable.ts';
import { PostgresChanges } from './changes.ts';
import { knexOnPool } from './knex-client.ts';
import { poolFactory } from './pool.ts';
import { PostgresReader } from './reader.ts';
import { PostgresWriter } from './writer.ts';

type PostgresLocation = DatabaseLocation & { engine: 'postgres' };

/** Prepared reads of the hot path take a fraction of a millisecond each, so a few connections carry thousands a second. */
const READ_CONNECTIONS = 4;
/** Enough to send one batch while another is being written to the disk. */
const WRITE_CONNECTIONS = 2;
const HOW_TO_BACK_UP =
  'PostgreSQL is not backed up from here; `pg_dump --format=custom --file=vitrine.dump "$DATABASE_URL"` makes a backup before an upgrade.';

/** Opens a PostgreSQL database, in the first schema of its search path. */
export async function openPostgres(
  { connectionString, shown }: PostgresLocation,
  settings: DatabaseSettings,
  logger: Logger,
): Promise<OpenDatabase> {
  const pool = poolFactory(connectionString, settings, logger);
  const queries = pool({ max: settings.pool_size });
  const schema = await currentSchema(queries, shown);
  const reads = pool({ max: READ_CONNECTIONS });
  const writes = pool({ max: WRITE_CONNECTIONS, pipeline: true });
  const polls = pool({ max: 1 });
  const knex = knexOnPool(queries, logger);
  const reader = new PostgresReader(reads);
  const writer = new PostgresWriter(writes);
  const poller = new PostgresReader(polls);
  const changes = new PostgresChanges((sql) => poller.read(sql));
  const invalidation = new Invalidator(changes, logger);
  const watch = new ChangeWatch(changes, (seen) => invalidation.notify(seen));
  const alive = reader.read('SELECT 1');
  const size = reader.read<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  let closing: Promise<unknown> | undefined;
  return {
    engine: 'postgres',
    knex,
    description: `PostgreSQL ${shown}, schema ${schema}`,
    invalidation,
    upgradeBackup: backupOfOperators(logger, HOW_TO_BACK_UP),
    transaction: (work) => invalidation.transaction(knex, work),
    alone: async (work) => {
      const own = pool({ max: 1, timeouts: false });
      try {
        return await underLock(knexOnPool(own, logger), work);
      } finally {
        await own.end();
      }
    },
    read: (sql, options) => reader.read(sql, options),
    write: async (batch, updates = []) => {
      for (const { rows } of batch) refuseNul(rows);
      refuseNul(updates.map(({ values }) => values));
      await writer.write(batch, updates);
    },
    poolUse: () => ({
      used: queries.totalCount - queries.idleCount,
      idle: queries.idleCount,
      max: settings.pool_size,
      waiting: queries.waitingCount,
    }),
    watchChanges: () => watch.start(),
    ping: async () => void (await alive.first()),
    size: async () => (await size.first())!.bytes,
    close: async () => {
      watch.stop();
      await (closing ??= Promise.all([queries, reads, writes, polls].map((each) => each.end())));
    },
  };
}

async function currentSchema(pool: pg.Pool, shown: string): Promise<string> {
  const query = pool.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const { rows } = await query.catch((error: unknown) => throwUnreachable(error, pool, shown));
  const schema = rows[0]?.schema;
  if (schema) return schema;
  await pool.end();
  throw new StartupError(
    `The database at ${shown} has none of the schemas in its search path. Create the schema, or correct DATABASE_URL.`,
  );
}

async function throwUnreachable(error: unknown, pool: pg.Pool, shown: string): Promise<never> {
  await pool.end();
  throw new StartupError(whyUnreachable(error, shown), [], { cause: error });
}

/** Why PostgreSQL cannot be reached, in words for the operator. */
export function whyUnreachable(error: unknown, shown: string): string {
  const reason = reasonOf(error);
  const { code = '' } = error as { code?: string };
  if (code === '3D000') {
    return `The server of ${shown} answers, but has no such database: ${reason}. Create it with \`createdb\`, or correct the name at the end of DATABASE_URL.`;
  }
  // Class 28 of SQLSTATE: the role, its password, or what `pg_hba.conf` allows it.
  if (code.startsWith('28') || reason.startsWith('SASL')) {
    return `The database at ${shown} does not let this user in: ${reason}. Correct the user and the password in DATABASE_URL, or allow the user in PostgreSQL.`;
  }
  return `The database at ${shown} does not answer: ${reason}. Start it, or correct DATABASE_URL.`;
}

/** The failure of several addresses of a host is an `AggregateError` without a message. */
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

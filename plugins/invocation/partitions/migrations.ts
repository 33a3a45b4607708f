import type { Migration, Transaction } from '../../../core/index.ts';
import { lockBriefly } from './locks.ts';
import { cut, prepareCut } from './cut.ts';
import { monthsAfter } from './months.ts';
import { attach, FIRST, partitionsOf } from './partition.ts';

/** Rather a start that takes a minute than calls that stand in line behind it. */
const ATTEMPTS = 240;

interface IndexRow {
  readonly name: string;
  readonly definition: string;
  readonly isPrimary: number;
}

/** Steps for PostgreSQL; SQLite has no partitions. */
function onPostgres(up: (trx: Transaction) => Promise<void>): Migration['up'] {
  return async (trx, engine) => {
    if (engine === 'postgres') await up(trx);
  };
}

/** Makes the table the only partition of one with the same name, which is a matter of names alone: no row is read. */
async function partition(trx: Transaction): Promise<void> {
  await lockBriefly(trx, ATTEMPTS);
  const indexes = await indexesOf(trx);
  await trx.raw(`ALTER TABLE invocation_calls RENAME TO ${FIRST}`);
  for (const { name } of indexes) {
    await trx.raw(`ALTER INDEX "${name}" RENAME TO "${name.replace('invocation_calls', FIRST)}"`);
  }
  await trx.raw(
    `CREATE TABLE invocation_calls (LIKE ${FIRST} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (id)`,
  );
  for (const { name, definition, isPrimary } of indexes) {
    const key = `ALTER TABLE invocation_calls ADD CONSTRAINT "${name}" PRIMARY KEY (id)`;
    // The text was read before the names changed, and names the new table now.
    await trx.raw(isPrimary ? key : definition);
  }
  await trx.raw(attach(FIRST, { from: '', until: undefined }));
}

async function indexesOf(trx: Transaction): Promise<readonly IndexRow[]> {
  const { rows } = await trx.raw<{ rows: IndexRow[] }>(
    `SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisprimary AS "isPrimary"
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'invocation_calls'::regclass`,
  );
  return rows;
}

/** By the clock of the server: the one that all instances share. */
async function nextMonth(trx: Transaction): Promise<string> {
  const { rows } = await trx.raw<{ rows: { now: number }[] }>(
    'SELECT extract(epoch FROM now()) * 1000 AS now',
  );
  return monthsAfter(rows[0]!.now, 1)[0]!;
}

export const partitionMigrations: readonly Migration[] = [
  {
    name: '0005_month_partitions',
    up: onPostgres(async (trx) => {
      await partition(trx);
      const [only] = await partitionsOf(trx);
      await prepareCut(trx, only!, await nextMonth(trx));
    }),
  },
  {
    name: '0006_month_cut',
    up: onPostgres(async (trx) => {
      const prepared = (await partitionsOf(trx)).find(({ cutAt }) => cutAt !== undefined);
      if (prepared) await cut(trx, prepared, prepared.cutAt!);
    }),
  },
];

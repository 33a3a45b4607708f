import type { Clock, Database, Logger, Transaction } from '../../../core/index.ts';
import { cut } from './cut.ts';
import { changesAlone } from './locks.ts';
import { monthsAfter, nameFrom, partitionAround, partitionsOf, type Partition } from './partition.ts';

/** How many months ahead partitions are made. */
const AHEAD = 3;
/** Bytes of the largest partition that is split: PostgreSQL reads it in about a second, and calls wait meanwhile. */
const LARGE = 268_435_456;
/** A partition with more records beyond the bound than this is not split. */
const MOST_MOVED = 10_000;

/**
 * Makes missing partitions of the coming months on PostgreSQL, so that each month of records can be dropped as a whole;
 * does nothing on SQLite. Several instances may run it at once. Never throws: records of a month without a partition go
 * to another one, so a failure is logged and the next run retries.
 */
export async function makeMonthsAhead(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<void> {
  const { database, clock, logger } = deps;
  if (database.engine !== 'postgres') return;
  try {
    const partitions = await partitionsOf(database.knex);
    for (const bound of monthsAfter(clock.now(), AHEAD)) {
      if (!partitionAround(bound, partitions)) continue;
      const isMade = await database.transaction((trx) => makeFrom(trx, bound));
      if (isMade) logger.info({ partition: nameFrom(bound) }, 'Made a partition of the call records.');
    }
  } catch (error) {
    logger.warn(
      { err: error },
      'Partitions of the coming months could not be made; the next run tries again.',
    );
  }
}

/** Makes the partition that begins at `bound`, unless it exists, another instance makes it, or calls would wait long. */
async function makeFrom(trx: Transaction, bound: string): Promise<boolean> {
  if (!(await changesAlone(trx))) return false;
  const around = partitionAround(bound, await partitionsOf(trx));
  if (!around || around.bytes > LARGE || (await tooManyFrom(trx, around, bound))) return false;
  await cut(trx, around, bound);
  return true;
}

async function tooManyFrom(trx: Transaction, { name }: Partition, bound: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM "${name}" WHERE id >= '${bound}' ORDER BY id OFFSET ${MOST_MOVED} LIMIT 1`,
  );
  return rows.length > 0;
}

import { token, type Clock, type Database, type Logger, type Transaction } from '../../../core/index.ts';
import { cut, prepareCut } from './cut.ts';
import { changesAlone } from './locks.ts';
import { monthsAfter } from './months.ts';
import { nameFrom, partitionAround, partitionsOf, type Partition } from './partition.ts';

/** How many months have a partition before they begin. */
const AHEAD = 3;
/** What PostgreSQL reads through while calls wait, in bytes; a larger partition is cut in two steps. */
const LARGE = 16_777_216;
/** Records of clocks that run ahead, moved at most; where more lie behind a bound, they stay together. */
const MOST_MOVED = 10_000;

/** Keeps the records of each month apart on PostgreSQL, so that old ones can be dropped at once. SQLite has one table. */
export interface MonthPartitions {
  /**
   * Makes the partitions of the coming months where they are missing. Several instances may do so at once. Never
   * throws: what fails is logged and left to the next time, for records find a place without.
   */
  makeAhead(): Promise<void>;
}

export const MONTH_PARTITIONS = token<MonthPartitions>('invocation:month-partitions');

export interface MonthPartitionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createMonthPartitions({ database, clock, logger }: MonthPartitionsDeps): MonthPartitions {
  const missing = async (): Promise<string[]> => {
    const partitions = await partitionsOf(database.knex);
    const begun = partitions.flatMap(({ cutAt }) => cutAt ?? []);
    const bounds = monthsAfter(clock.now(), AHEAD).filter((bound) => partitionAround(bound, partitions));
    return [...new Set([...begun, ...bounds])];
  };
  const make = async (): Promise<void> => {
    for (const bound of await missing()) {
      let step = await database.transaction((trx) => advance(trx, bound));
      if (step === 'prepared') step = await database.transaction((trx) => advance(trx, bound));
      if (step === 'made')
        logger.info({ partition: nameFrom(bound) }, 'Made a partition of the call records.');
    }
  };
  return {
    makeAhead: async () => {
      if (database.engine !== 'postgres') return;
      await make().catch((error: unknown) => {
        logger.warn(
          { err: error },
          'Partitions of the coming months could not be made; this is tried again.',
        );
      });
    },
  };
}

/** One step towards a partition that begins at `bound`, unless another instance is at it or it is there. */
async function advance(trx: Transaction, bound: string): Promise<'made' | 'prepared' | 'left'> {
  if (!(await changesAlone(trx))) return 'left';
  const around = partitionAround(bound, await partitionsOf(trx));
  if (!around) return 'left';
  const { cutAt, bytes } = around;
  // Another cut of it comes first.
  if (cutAt !== undefined && cutAt !== bound) return 'left';
  if (cutAt === undefined && (await tooManyFrom(trx, around, bound))) return 'left';
  if (cutAt === undefined && bytes > LARGE) {
    await prepareCut(trx, around, bound);
    return 'prepared';
  }
  await cut(trx, around, bound);
  return 'made';
}

async function tooManyFrom(trx: Transaction, { name }: Partition, bound: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM "${name}" WHERE id >= '${bound}' ORDER BY id OFFSET ${MOST_MOVED} LIMIT 1`,
  );
  return rows.length > 0;
}

import { isoDay, timeOfId, type Database, type Transaction } from '../../../core/index.ts';
import { changesAlone, lockBriefly } from '../partitions/locks.ts';
import { attach, partitionsOf, type Partition } from '../partitions/partition.ts';
import { countDeleted } from './deleted.ts';
import { tooOldBelow, type Limit } from './limits.ts';
import { createMarks } from './marks.ts';

/** Partitions that one transaction drops, since calls wait for it. */
const MOST_AT_ONCE = 4;
/** Records that one statement counts, so that no statement takes long. */
const COUNTED_AT_ONCE = 200_000;
/** Records of a partition below this size in bytes are deleted in batches, which does not lock the table. */
const SMALL = 16_777_216;
/** How long to wait for the lock, in milliseconds: longer than PostgreSQL takes to cancel an autovacuum. */
const WAIT_MS = 3_000;
/** Few attempts, because late records for these partitions wait meanwhile. */
const ATTEMPTS = 8;

/** A partition whose records were counted. */
interface Counted extends Partition {
  readonly rows: number;
  /** The id of the newest record; empty without records. */
  readonly last: string;
}

/**
 * Drops partitions whose records are all too old, on PostgreSQL. This frees their space at once and leaves nothing to
 * vacuum.
 */
export class WholePartitions {
  readonly #database: Database;
  readonly #marks;

  constructor(database: Database) {
    this.#database = database;
    this.#marks = createMarks(database);
  }

  /**
   * Drops some partitions that are empty or too old and moves the mark, in one transaction. Returns the number of
   * deleted records; `undefined` when there is nothing to drop. Throws `StoreUnavailable`, with nothing dropped, when
   * another session kept the table locked.
   */
  async drop(limit: Limit, now: number): Promise<number | undefined> {
    if (this.#database.engine !== 'postgres') return undefined;
    const below = tooOldBelow(limit, now);
    const { records: horizon } = await this.#marks();
    const past = (await partitionsOf(this.#database.knex))
      .filter(({ until }) => until !== undefined && (until <= below || until <= horizon))
      .slice(0, MOST_AT_ONCE);
    if (!isWorthwhile(past)) return undefined;
    return this.#database.transaction((trx) => dropOf(trx, past, below));
  }
}

/** Whether to drop at all. A single small partition is left alone: the first one is never dropped, only emptied. */
function isWorthwhile(partitions: readonly Partition[]): boolean {
  return partitions.length > 1 || (partitions[0]?.bytes ?? 0) > SMALL;
}

async function dropOf(
  trx: Transaction,
  partitions: readonly Partition[],
  below: string,
): Promise<number | undefined> {
  if (!(await changesAlone(trx))) return undefined;
  await trx.raw(`SET LOCAL lock_timeout = ${WAIT_MS}`);
  // Blocks writers so that the count stays right: records from the spool may come late.
  await trx.raw(`LOCK TABLE ${namesOf(partitions)} IN SHARE ROW EXCLUSIVE MODE`);
  const old = leading(await counted(trx, partitions), ({ until, rows }) => until! <= below || rows === 0);
  if (!isWorthwhile(old)) return undefined;
  await countDays(trx, old.at(-1)!.until!);
  await lockBriefly(trx, ATTEMPTS);
  await replace(trx, old);
  return moveMark(trx, old);
}

async function counted(trx: Transaction, partitions: readonly Partition[]): Promise<Counted[]> {
  const all: Counted[] = [];
  for (const partition of partitions) all.push({ ...partition, ...(await countOf(trx, partition)) });
  return all;
}

async function countOf(trx: Transaction, { name }: Partition): Promise<{ rows: number; last: string }> {
  let [sum, last] = [0, ''];
  for (;;) {
    const answer = await trx.raw<{ rows: { rows: number; highest: string | null }[] }>(
      `SELECT count(*) AS rows, max(id) AS highest FROM
         (SELECT id FROM "${name}" WHERE id > '${last}' ORDER BY id LIMIT ${COUNTED_AT_ONCE}) AS oldest`,
    );
    const { rows, highest } = answer.rows[0]!;
    sum += rows;
    last = highest ?? last;
    if (rows < COUNTED_AT_ONCE) return { rows: sum, last };
  }
}

/** Adds all records before a bound, which is a midnight, to the deleted ones. The lock prevents new records. */
async function countDays(trx: Transaction, bound: string): Promise<void> {
  const source = `SELECT user_id, day, algorithm_id, status, SUM(calls - deleted) AS calls
    FROM invocation_user_totals WHERE day > '' AND day < ?
    GROUP BY user_id, day, algorithm_id, status HAVING SUM(calls - deleted) <> 0`;
  for (const sql of countDeleted(source)) await trx.raw(sql, [isoDay(timeOfId(bound))]);
}

/** Drops all but the first partition, which stays empty and takes over their range. */
async function replace(trx: Transaction, old: readonly Partition[]): Promise<void> {
  const [first, ...rest] = old as readonly [Partition, ...Partition[]];
  await trx.raw(`ALTER TABLE invocation_calls DETACH PARTITION "${first.name}"`);
  await trx.raw(`TRUNCATE "${first.name}"`);
  if (rest.length > 0) await trx.raw(`DROP TABLE ${namesOf(rest)}`);
  await trx.raw(attach(first.name, { from: '', until: old.at(-1)!.until }));
}

/** Moves the mark forward. A batch of another run may have moved it further already. */
async function moveMark(trx: Transaction, deleted: readonly Counted[]): Promise<number> {
  const last = deleted.findLast(({ rows }) => rows > 0)?.last ?? '';
  await trx.raw(`UPDATE invocation_retention SET horizon = GREATEST(horizon, ?) WHERE name = 'records'`, [
    last,
  ]);
  return deleted.reduce((sum, { rows }) => sum + rows, 0);
}

function leading<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const end = all.findIndex((one) => !fits(one));
  return end === -1 ? all : all.slice(0, end);
}

function namesOf(partitions: readonly Partition[]): string {
  return partitions.map(({ name }) => `"${name}"`).join(', ');
}

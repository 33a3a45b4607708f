import type { Transaction } from '../../../core/index.ts';
import { lockBriefly } from './locks.ts';
import { attach, CUT_CHECK, nameFrom, type Partition } from './partition.ts';

/**
 * Cuts a partition in two at an id within it. The earlier part stays in its table, so that few records need to move:
 * those at `bound` and after it, of which there are some only where clocks ran ahead. PostgreSQL reads the earlier part
 * while calls wait, unless `prepareCut` came before.
 */
export async function cut(trx: Transaction, partition: Partition, bound: string): Promise<void> {
  const { name, from, until, cutAt } = partition;
  const later = nameFrom(bound);
  if (cutAt === undefined) await makeTable(trx, later);
  else await trx.raw(`ALTER TABLE "${name}" VALIDATE CONSTRAINT ${CUT_CHECK}`);
  // Moves what is there already, so that next to nothing is left to be moved while calls wait.
  await move(trx, name, later, bound);
  await lockBriefly(trx);
  await trx.raw(`ALTER TABLE invocation_calls DETACH PARTITION "${name}"`);
  await move(trx, name, later, bound);
  await trx.raw(attach(name, { from, until: bound }));
  await trx.raw(attach(later, { from: bound, until }));
  if (cutAt === undefined) return;
  await trx.raw(`DROP FUNCTION ${CUT_CHECK}() CASCADE`);
  await trx.raw(`ALTER TABLE "${name}" DROP CONSTRAINT ${CUT_CHECK}`);
}

/**
 * Prepares the cut of a large partition: a constraint, validated by the cut while calls go on, spares it from being
 * read under the lock. Records from `bound` on, of clocks that run ahead, go to a table aside until the cut is made.
 */
export async function prepareCut(trx: Transaction, { name }: Partition, bound: string): Promise<void> {
  const later = nameFrom(bound);
  await makeTable(trx, later);
  await move(trx, name, later, bound);
  await lockBriefly(trx);
  await move(trx, name, later, bound);
  await trx.raw(`CREATE FUNCTION ${CUT_CHECK}() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO "${later}" VALUES (NEW.*); RETURN NULL; END'`);
  await trx.raw(`CREATE TRIGGER ${CUT_CHECK} BEFORE INSERT ON "${name}" FOR EACH ROW
    WHEN (NEW.id >= '${bound}') EXECUTE FUNCTION ${CUT_CHECK}()`);
  await trx.raw(`ALTER TABLE "${name}" ADD CONSTRAINT ${CUT_CHECK} CHECK (id < '${bound}') NOT VALID`);
}

async function makeTable(trx: Transaction, name: string): Promise<void> {
  await trx.raw(`CREATE TABLE "${name}" (LIKE invocation_calls INCLUDING ALL)`);
}

/** By the primary key, whatever PostgreSQL believes without statistics. */
async function move(trx: Transaction, from: string, to: string, bound: string): Promise<void> {
  await trx.raw('SET LOCAL enable_seqscan = off');
  await trx.raw('SET LOCAL jit = off');
  await trx.raw(
    `WITH moved AS (DELETE FROM "${from}" WHERE id >= '${bound}' RETURNING *)
     INSERT INTO "${to}" SELECT * FROM moved`,
  );
}

import type { Transaction } from '../../../core/index.ts';
import { lockBriefly } from './locks.ts';
import { attach, nameFrom, type Partition } from './partition.ts';

/**
 * Cuts a partition in two at an id within it. The earlier part stays in its table, so that few records need to move: those
 * from `bound` on, of which there are some only where clocks ran ahead. Calls wait while PostgreSQL reads the earlier part,
 * to see that nothing in it lies beyond the bound.
 */
export async function cut(trx: Transaction, { name, from, until }: Partition, bound: string): Promise<void> {
  const later = nameFrom(bound);
  await trx.raw(`CREATE TABLE "${later}" (LIKE invocation_calls INCLUDING ALL)`);
  // Before the lock, so that next to nothing is left to be moved while calls wait.
  await move(trx, name, later, bound);
  await lockBriefly(trx);
  await trx.raw(`ALTER TABLE invocation_calls DETACH PARTITION "${name}"`);
  await move(trx, name, later, bound);
  await trx.raw(attach(name, { from, until: bound }));
  await trx.raw(attach(later, { from: bound, until }));
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

import type { Transaction } from '../../../core/index.ts';
import { lockBriefly } from './locks.ts';
import { attach, nameFrom, type Partition } from './partition.ts';

/**
 * Splits a partition in two at an id. The earlier part stays in its table, so that few records move: those from `bound`
 * on, which exist only where clocks ran ahead. Calls wait while PostgreSQL reads the earlier part to verify the bound.
 */
export async function cut(trx: Transaction, { name, from, until }: Partition, bound: string): Promise<void> {
  const later = nameFrom(bound);
  await trx.raw(`CREATE TABLE "${later}" (LIKE invocation_calls INCLUDING ALL)`);
  // Moves most records before the lock, so that few are moved while calls wait.
  await move(trx, name, later, bound);
  await lockBriefly(trx);
  await trx.raw(`ALTER TABLE invocation_calls DETACH PARTITION "${name}"`);
  await move(trx, name, later, bound);
  await trx.raw(attach(name, { from, until: bound }));
  await trx.raw(attach(later, { from: bound, until }));
}

/** Moves records by the primary key. Without statistics PostgreSQL would choose a sequential scan. */
async function move(trx: Transaction, from: string, to: string, bound: string): Promise<void> {
  await trx.raw('SET LOCAL enable_seqscan = off');
  await trx.raw('SET LOCAL jit = off');
  await trx.raw(
    `WITH moved AS (DELETE FROM "${from}" WHERE id >= '${bound}' RETURNING *)
     INSERT INTO "${to}" SELECT * FROM moved`,
  );
}

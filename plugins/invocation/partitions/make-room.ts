import { timeOfId, type Transaction } from '../../../core/index.ts';
import { cut } from './cut.ts';
import { monthsAfter, partitionAround, partitionsOf } from './partition.ts';

/** Ten years; records before them share the first partition. */
const MOST_MONTHS = 120;

/** Records that will be loaded from another database. */
interface ComingRecords {
  readonly table: string;
  /** The lowest and the highest id. */
  readonly first: string;
  readonly last: string;
}

/** Makes a partition for each month of records that will be loaded, because a large partition is not split later. */
export async function makeRoom(trx: Transaction, { table, first, last }: ComingRecords): Promise<void> {
  if (table !== 'invocation_calls') return;
  for (const bound of boundsOf(first, last)) {
    const around = partitionAround(bound, await partitionsOf(trx));
    if (around) await cut(trx, around, bound);
  }
}

/** The lowest ids of the months of the records, of the one after them, and of those in between. */
function boundsOf(first: string, last: string): string[] {
  const until = new Date(timeOfId(last));
  const earliest = Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - MOST_MONTHS);
  const from = new Date(Math.max(timeOfId(first), earliest));
  const monthBefore = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - 1);
  const years = until.getUTCFullYear() - from.getUTCFullYear();
  return monthsAfter(monthBefore, years * 12 + until.getUTCMonth() - from.getUTCMonth() + 2);
}

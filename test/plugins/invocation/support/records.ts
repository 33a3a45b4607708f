import { DATABASE, newId, type Database } from '../../../../core/index.ts';
import type { TestKernel } from '../../../../core/testing.ts';
import { callInsert, finishedOf, type CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { totalsHook } from '../../../../plugins/invocation/rollups/call-rollups.ts';
import { seriesHook } from '../../../../plugins/invocation/rollups/series/series-hook.ts';
import { callRow } from './rows.ts';

/** Stores records as the recorder does, with their roll-ups. */
export async function store(kernel: Pick<TestKernel, 'get'>, rows: readonly CallRow[]): Promise<void> {
  const database: Database = kernel.get(DATABASE);
  const finished = rows.map(finishedOf);
  const hooks = [totalsHook(database), seriesHook];
  await database.write([callInsert(rows), ...hooks.flatMap((hook) => hook.rowsFor(finished))]);
}

/** Stores a record that began at a time again and again while something goes on; returns how long each waited, in milliseconds. */
export async function storeWhile(
  kernel: Pick<TestKernel, 'get'>,
  time: string,
  goesOn: (stored: number) => boolean,
): Promise<number[]> {
  const waits: number[] = [];
  while (goesOn(waits.length)) {
    const began = performance.now();
    await store(kernel, [recordAt(time)]);
    waits.push(performance.now() - began);
  }
  return waits;
}

/** A record that began at a time. */
export function recordAt(time: string, fields: Partial<CallRow> = {}): CallRow {
  return callRow({ id: idAt(Date.parse(time)), ...fields });
}

/** An id of that very millisecond, whatever ids were made before: its digits of time are replaced. */
function idAt(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

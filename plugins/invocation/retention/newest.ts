import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../core/index.ts';

/** Records that one statement skips. SQLite reads on the main thread, and this takes less than a millisecond. */
const STEP = 2_000;
/** A text above every id. */
const TOP = 'g';

/**
 * Makes the function that finds the oldest of the newest `count` records; empty when there are no more records than
 * that, or when the signal aborts. It walks down the primary key in small steps and lets requests run between them.
 */
export function createNewest(
  database: Pick<Database, 'read'>,
): (count: number, signal: AbortSignal) => Promise<string> {
  const lower = database.read<{ id: string }>(
    'SELECT id FROM invocation_calls WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
  );
  return async (count, signal) => {
    let oldest = TOP;
    for (let left = count; left > 0; left -= STEP) {
      if (signal.aborted) return '';
      const row = await lower.first(oldest, Math.min(left, STEP) - 1);
      if (!row) return '';
      oldest = row.id;
      await nextTurn();
    }
    return oldest;
  };
}

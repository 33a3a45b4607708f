import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../core/index.ts';

/** Records that one statement skips, in some hundred microseconds: SQLite reads on the main thread. */
const STEP = 2_000;
/** Above every id. */
const TOP = 'g';

/**
 * Finds the oldest of the newest `count` records by what is there, whatever came late; empty when there are no more than
 * that, or when the signal is aborted. Walks the primary key downwards in small steps, between which requests go on.
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

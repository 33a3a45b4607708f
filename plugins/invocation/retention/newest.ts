import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../core/index.ts';

/** Records passed by one statement: some hundred microseconds, for SQLite reads on the main thread. */
const STEP = 2_000;
/** Above every id. */
const TOP = 'g';

/**
 * Finds the oldest of the newest `count` records by what is there, whatever came late; empty when there are no more than
 * that, or when `goOn` says to stop. Walks the primary key downwards in small steps, so that others are never held up.
 */
export function createNewest(
  database: Pick<Database, 'read'>,
): (count: number, goOn: () => Promise<boolean>) => Promise<string> {
  const lower = database.read<{ id: string }>(
    'SELECT id FROM invocation_calls WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
  );
  return async (count, goOn) => {
    let oldest = TOP;
    for (let left = count; left > 0; left -= STEP) {
      if (!(await goOn())) return '';
      const row = await lower.first(oldest, Math.min(left, STEP) - 1);
      if (!row) return '';
      oldest = row.id;
      await nextTurn();
    }
    return oldest;
  };
}

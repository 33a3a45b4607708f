import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, type Transaction } from '../../../core/index.ts';

/** The longest time that calls wait behind one attempt to lock, in milliseconds. */
const WAIT_MS = 100;
const PAUSE_MS = 150;

/** Takes the lock on changes of partitions in this installation; returns at once whether it was free. */
export async function changesAlone(trx: Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { free: number }[] }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('vitrine partitions in ' || current_schema(), 0)) AS free",
  );
  return Boolean(rows[0]?.free);
}

/**
 * Locks the table of records until the transaction ends, which must be soon. Waits for the lock in short attempts, so
 * that calls do not wait behind it for long. Throws `StoreUnavailable` when no attempt succeeded.
 */
export async function lockBriefly(trx: Transaction, attempts = 20): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await trx.transaction(async (savepoint) => {
        await savepoint.raw(`SET LOCAL lock_timeout = ${WAIT_MS}`);
        await savepoint.raw('LOCK TABLE ONLY invocation_calls IN ACCESS EXCLUSIVE MODE');
      });
    } catch (error) {
      if (!StoreUnavailable.is(error) || attempt === attempts) throw error;
      await pause(PAUSE_MS);
    }
  }
}

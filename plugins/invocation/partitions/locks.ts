import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, type Transaction } from '../../../core/index.ts';

/** The longest that calls wait behind this lock while another session still reads, in milliseconds; then they pass. */
const WAIT_MS = 100;
const PAUSE_MS = 150;

/** Whether this transaction is the only one that changes the partitions of the installation; it does not wait. */
export async function changesAlone(trx: Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { free: number }[] }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('vitrine partitions in ' || current_schema(), 0)) AS free",
  );
  return Boolean(rows[0]?.free);
}

/**
 * Locks the records for this transaction, which must end at once. Waits for the lock in short attempts, so that calls
 * never wait behind it for long. Throws `StoreUnavailable` when no attempt succeeded.
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

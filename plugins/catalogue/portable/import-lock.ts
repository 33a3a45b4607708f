import { isoTime, newId, UniqueViolation, type Clock, type Database } from '../../../core/index.ts';
import { ImportRunning } from '../contract.ts';
import { ImportLockRow } from '../models.ts';

/** How long a process keeps others from importing. It renews this while it imports; one that died loses it. */
const LEASE_MS = 60_000;

/** Lets one import run at a time, whatever the number of processes: things are found by names, which two would both create. */
export class ImportLock {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Throws `ImportRunning` while another import runs. The signal aborts when one may have begun all the same. */
  async hold<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const holder = newId(this.#clock.now());
    await this.#take(holder);
    const lost = new AbortController();
    const renewing = setInterval(() => void this.#renew(holder, lost), LEASE_MS / 3).unref();
    try {
      return await work(lost.signal);
    } finally {
      clearInterval(renewing);
      await this.#giveBack(holder);
    }
  }

  async #take(holder: string): Promise<void> {
    const now = this.#clock.now();
    try {
      await this.#database.transaction(async (trx) => {
        // The second condition covers a clock that was set back in the meantime.
        await ImportLockRow.query(trx)
          .delete()
          .where('lease_until', '<=', isoTime(now))
          .orWhere('lease_until', '>', isoTime(now + 2 * LEASE_MS));
        await ImportLockRow.query(trx).insert({ id: 'import', holder, lease_until: isoTime(now + LEASE_MS) });
      });
    } catch (error) {
      if (error instanceof UniqueViolation) throw running();
      throw error;
    }
  }

  async #renew(holder: string, lost: AbortController): Promise<void> {
    const lease_until = isoTime(this.#clock.now() + LEASE_MS);
    try {
      if ((await this.#own(holder).patch({ lease_until })) === 0) lost.abort(running());
    } catch {
      // The database is away: the next renewal may come in time, and tells if it did not.
    }
  }

  /** What is not given back ends by itself. */
  async #giveBack(holder: string): Promise<void> {
    try {
      await this.#own(holder).delete();
    } catch {
      // The import has ended one way or the other, which is what its caller wants to know.
    }
  }

  #own(holder: string) {
    return ImportLockRow.query(this.#database.knex).where({ holder });
  }
}

function running(): Error {
  return ImportRunning(
    'Another import runs in this installation. Try again when it has ended; after one that was killed, in a minute.',
  );
}

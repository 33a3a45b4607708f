import type { Clock, Database } from '../../../core/index.ts';

const NAME = 'retention';
/** After this, another instance takes the lease of one that died. */
const HELD_MS = 60_000;

/** Lets one instance at a time work on the database. */
export class Lease {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;

  constructor(database: Database, clock: Clock, holder: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = holder;
  }

  /** Takes it, or holds on to it. Whether it is ours now. */
  async hold(): Promise<boolean> {
    const now = this.#clock.now();
    const changed = await this.#database.transaction(async (trx) =>
      trx('invocation_leases')
        .where({ name: NAME })
        .andWhere((either) => void either.where('held_until', '<=', now).orWhere({ holder: this.#holder }))
        .update({ holder: this.#holder, held_until: now + HELD_MS }),
    );
    return changed > 0;
  }

  /** Lets the next one have it at once. */
  async release(): Promise<void> {
    await this.#database.write(
      [],
      [
        {
          sql: 'UPDATE invocation_leases SET held_until = 0 WHERE name = ? AND holder = ?',
          values: [NAME, this.#holder],
        },
      ],
    );
  }
}

/** How long a holder may work before it must hold on again, in milliseconds. */
export const HOLD_AGAIN_MS = HELD_MS / 4;

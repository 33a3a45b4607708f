import {
  isoTime,
  token,
  type Clock,
  type Database,
  type Logger,
  type Transaction,
} from '../../core/index.ts';
import type { CredentialUses } from './contract.ts';

const MINUTE = 60_000;
const MOST_WAITING = 10_000;
/** Far fewer than the variables that a statement may have on either engine. */
const AT_ONCE = 1000;
const COLUMNS = { credential_id: 'text', last_used_at: 'text' } as const;

export interface CredentialUsesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Notes uses in memory, which every request makes, and writes them once a minute and at a stop. */
export class KeptUses implements CredentialUses {
  readonly #deps: CredentialUsesDeps;
  readonly #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: CredentialUsesDeps) {
    this.#deps = deps;
  }

  note(credentialId: string): void {
    if (this.#waiting.size < MOST_WAITING || this.#waiting.has(credentialId)) {
      this.#waiting.set(credentialId, this.#deps.clock.now());
    }
  }

  async lastOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const waiting = ids.flatMap((id) => {
      const time = this.#waiting.get(id);
      return time === undefined ? [] : [[id, isoTime(time)] as const];
    });
    const written: [string, string][] = [];
    for (const some of portions(ids)) {
      const rows = await this.#deps.database
        .knex('users_credential_uses')
        .select('credential_id', 'last_used_at')
        .whereIn('credential_id', some);
      for (const { credential_id, last_used_at } of rows) written.push([credential_id, last_used_at]);
    }
    return new Map([...written, ...waiting]);
  }

  async forget(trx: Transaction, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#waiting.delete(id);
    for (const some of portions(ids)) {
      await trx('users_credential_uses').delete().whereIn('credential_id', some);
    }
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), MINUTE).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Writes the noted uses. A failure is only logged, since the time of the last use is informational. */
  async flush(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const rows = [...this.#waiting].map(([id, time]) => [id, isoTime(time)]);
    this.#waiting.clear();
    try {
      await this.#deps.database.write([
        {
          table: 'users_credential_uses',
          columns: COLUMNS,
          rows,
          onConflict: { key: ['credential_id'], set: ['last_used_at'] },
        },
      ]);
    } catch (error) {
      this.#deps.logger.warn(
        { err: error, credentials: rows.length },
        'The last uses of credentials could not be written.',
      );
    }
  }
}

function portions(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, n) =>
    ids.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
}

export const KEPT_USES = token<KeptUses>('users:kept-uses');

import { isoTime, token, type Clock, type Database, type Logger } from '../../core/index.ts';

const MINUTE = 60_000;
const MOST_WAITING = 10_000;
const COLUMNS = { key_id: 'text', last_used_at: 'text' } as const;

export interface LastUsesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tracks when keys were last used. Requests note it in memory; it is written once a minute and at a stop. */
export class LastUses {
  readonly #deps: LastUsesDeps;
  readonly #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: LastUsesDeps) {
    this.#deps = deps;
  }

  note(keyId: string): void {
    if (this.#waiting.size < MOST_WAITING || this.#waiting.has(keyId)) {
      this.#waiting.set(keyId, this.#deps.clock.now());
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
          table: 'api_keys_uses',
          columns: COLUMNS,
          rows,
          onConflict: { key: ['key_id'], set: ['last_used_at'] },
        },
      ]);
    } catch (error) {
      this.#deps.logger.warn(
        { err: error, keys: rows.length },
        'The last uses of API keys could not be written.',
      );
    }
  }
}

export const LAST_USES = token<LastUses>('api-keys:last-uses');

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { BatchChange, BatchInsert } from '../database.ts';
import { numbered } from '../batch-sql.ts';
import { unavailable } from '../unavailable.ts';
import { fromPostgres, isBroken, isLostRace } from './failures.ts';
import { insertOfArrays } from './insert.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 5;

/** Writes a batch in one round trip by sending all its statements at once. */
export class PostgresWriter {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Resolves when the batch is durable. A batch that failed because of a concurrent one is retried. */
  async write(batch: readonly BatchInsert[], changes: readonly BatchChange[] = []): Promise<void> {
    const inserts = batch.filter(({ rows }) => rows.length > 0);
    const statements = [
      ...inserts.map((insert) => this.#insert(insert)),
      ...changes.map((change) => this.#change(change)),
    ];
    if (statements.length === 0) return;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(statements);
      } catch (error) {
        if (!isLostRace(error) || attempt === ATTEMPTS) throw fromPostgres(error);
      }
      await pause(PAUSE_MS * attempt);
    }
  }

  async #attempt(statements: readonly pg.QueryConfig[]): Promise<void> {
    const client = await this.#connection();
    try {
      const all =
        statements.length === 1 ? statements : [{ text: 'BEGIN' }, ...statements, { text: 'COMMIT' }];
      const outcomes = await Promise.allSettled(all.map((query) => client.query(query)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      client.release();
    } catch (error) {
      client.release(isBroken(error));
      throw error;
    }
  }

  /** A connection of the pool. Every failure to get one is `StoreUnavailable`, because the batch is not its cause. */
  async #connection(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailable(error);
    }
  }

  #insert(insert: BatchInsert): pg.QueryConfig {
    const { text, values } = insertOfArrays(insert);
    return { name: this.#nameOf(text), text, values };
  }

  #change({ sql, values }: BatchChange): pg.QueryConfig {
    const text = numbered(sql);
    return { name: this.#nameOf(text), text, values: [...values] };
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (!name) this.#names.set(text, (name = `write_${this.#names.size}`));
    return name;
  }
}

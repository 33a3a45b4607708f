import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { BatchChange, BatchInsert, ColumnType, SqlValue } from '../database.ts';
import { insertInto, numbered, onConflict } from '../batch-sql.ts';
import { fromPostgres, isBroken, isLostRace } from './failures.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 5;

const ARRAYS: Record<ColumnType, string> = {
  text: 'text[]',
  integer: 'int8[]',
  real: 'float8[]',
  boolean: 'bool[]',
};

/** Writes batches with one statement per table, all sent at once, so that a batch costs one round trip. */
export class PostgresWriter {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Resolves when the batch is durable. A batch that lost against a concurrent one is tried again. */
  async write(batch: readonly BatchInsert[], changes: readonly BatchChange[] = []): Promise<void> {
    const statements = [
      ...batch.filter(({ rows }) => rows.length > 0).map((insert) => this.#statement(insert)),
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
    const client = await this.#pool.connect();
    try {
      const all = [{ text: 'BEGIN' }, ...statements, { text: 'COMMIT' }];
      const outcomes = await Promise.allSettled(all.map((query) => client.query(query)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      client.release();
    } catch (error) {
      client.release(isBroken(error));
      throw error;
    }
  }

  #statement(insert: BatchInsert): pg.QueryConfig {
    const types = Object.values(insert.columns);
    const arrays = types.map((type, index) => `$${index + 1}::${ARRAYS[type]}`).join(', ');
    const text = `${insertInto(insert)} SELECT * FROM unnest(${arrays})${onConflict(insert)}`;
    const rows = inKeyOrder(insert);
    return {
      name: this.#nameOf(text),
      text,
      values: types.map((_, column) => rows.map((row) => row[column])),
    };
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

/** Two writers that lock the same rows in the same order cannot wait for each other in a circle. */
function inKeyOrder({ columns, rows, onConflict: rule }: BatchInsert): readonly (readonly SqlValue[])[] {
  if (!rule || rows.length < 2) return rows;
  const names = Object.keys(columns);
  const places = rule.key.map((name) => names.indexOf(name));
  const key = (row: readonly SqlValue[]): string => places.map((place) => row[place]).join('\0');
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

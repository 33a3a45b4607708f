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

/** Writes a batch in one round trip: as one statement where that is possible, else as several that are sent at once. */
export class PostgresWriter {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Resolves when the batch is durable. A batch that lost against a concurrent one is tried again. */
  async write(batch: readonly BatchInsert[], changes: readonly BatchChange[] = []): Promise<void> {
    const inserts = batch.filter(({ rows }) => rows.length > 0);
    const statements = [
      ...(haveOwnTables(inserts) ? this.#joined(inserts) : inserts.flatMap((each) => this.#joined([each]))),
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

  /**
   * Inserts into several tables as one statement, which is a transaction by itself: each statement costs the client
   * and the server a message of its own, and so do `BEGIN` and `COMMIT`.
   */
  #joined(inserts: readonly BatchInsert[]): readonly pg.QueryConfig[] {
    if (inserts.length === 0) return [];
    const values: unknown[] = [];
    const parts = inserts.map((insert) => {
      const types = Object.values(insert.columns);
      const arrays = types.map((type, index) => `$${values.length + index + 1}::${ARRAYS[type]}`).join(', ');
      const rows = inKeyOrder(insert);
      values.push(...types.map((_, column) => rows.map((row) => row[column])));
      return `${insertInto(insert)} SELECT * FROM unnest(${arrays})${onConflict(insert)}`;
    });
    const last = parts.pop()!;
    const others = parts.map((part, index) => `part_${index} AS (${part})`).join(', ');
    const text = others === '' ? last : `WITH ${others} ${last}`;
    return [{ name: this.#nameOf(text), text, values }];
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

/** Parts of one statement do not see each other's rows, so that two of them must not write to the same table. */
function haveOwnTables(inserts: readonly BatchInsert[]): boolean {
  return new Set(inserts.map(({ table }) => table)).size === inserts.length;
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

import type pg from 'pg';
import type { PreparedRead, ReadOptions, SqlValue } from '../database.ts';
import { numbered } from '../batch-sql.ts';
import { fromPostgres } from './failures.ts';

/**
 * Prepared reads: each text is a named statement that every connection parses once. PostgreSQL plans a named statement for
 * all values from its sixth use on, and one without a name for its values.
 */
export class PostgresReader {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  read<Row>(sql: string, { plansEachUse = false }: ReadOptions = {}): PreparedRead<Row> {
    const text = numbered(sql);
    const named = plansEachUse ? {} : { name: this.#nameOf(text) };
    const run = async (values: SqlValue[]): Promise<Row[]> => {
      try {
        return (await this.#pool.query({ ...named, text, values })).rows as Row[];
      } catch (error) {
        throw fromPostgres(error);
      }
    };
    return { all: (...values) => run(values), first: async (...values) => (await run(values))[0] };
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (!name) this.#names.set(text, (name = `read_${this.#names.size}`));
    return name;
  }
}

import type { Database } from '../../../core/index.ts';

interface InstanceRow {
  readonly id: string;
  readonly beats: number;
}

/**
 * Knows which instances live: each counts its beats in a row of its own, and is dead when the count stands still for
 * several looks. Clocks of different machines are not compared, and an outage of the database makes no instance dead.
 */
export class Instances {
  readonly #database: Database;
  readonly #own: string;
  readonly #missedLooks: number;
  readonly #rows;
  #seen = new Map<string, { readonly beats: number; readonly looks: number }>();

  constructor(database: Database, own: string, missedLooks: number) {
    this.#database = database;
    this.#own = own;
    this.#missedLooks = missedLooks;
    this.#rows = database.read<InstanceRow>('SELECT id, beats FROM invocation_instances');
  }

  /** One beat of this instance. */
  async beat(): Promise<void> {
    await this.#database.write([
      {
        table: 'invocation_instances',
        columns: { id: 'text', beats: 'integer' },
        rows: [[this.#own, 1]],
        onConflict: { key: ['id'], add: ['beats'] },
      },
    ]);
  }

  /** One look at the others: how many there are, and which of them are dead. */
  async look(): Promise<{ readonly others: number; readonly dead: readonly string[] }> {
    const rows = (await this.#rows.all()).filter(({ id }) => id !== this.#own);
    const before = this.#seen;
    this.#seen = new Map(
      rows.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, looks: last?.beats === beats ? last.looks + 1 : 0 }];
      }),
    );
    const dead = rows.filter(({ id }) => this.#seen.get(id)!.looks >= this.#missedLooks);
    return { others: rows.length, dead: dead.map(({ id }) => id) };
  }

  /** Deletes an instance that has no open call. */
  async delete(id: string): Promise<void> {
    const sql = `DELETE FROM invocation_instances
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM invocation_open_calls WHERE instance = ?)`;
    await this.#database.write([], [{ sql, values: [id, id] }]);
  }

  /** Deletes this instance, and open calls that were refused although their beginning was written. */
  async leave(): Promise<void> {
    const own = [this.#own];
    await this.#database.write(
      [],
      [
        { sql: 'DELETE FROM invocation_open_calls WHERE instance = ?', values: own },
        { sql: 'DELETE FROM invocation_instances WHERE id = ?', values: own },
      ],
    );
  }
}

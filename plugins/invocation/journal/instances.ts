import type { Database } from '../../../core/index.ts';

interface InstanceRow {
  readonly id: string;
  readonly beats: number;
}

/**
 * Detects dead instances by heartbeats. Each instance increments a counter in its own row, and is dead when several
 * checks in a row read the same count. This compares no clocks, and an outage of the database makes no instance dead.
 */
export class Instances {
  readonly #database: Database;
  readonly #own: string;
  readonly #missedChecks: number;
  readonly #rows;
  #seen = new Map<string, { readonly beats: number; readonly missed: number }>();

  constructor(database: Database, own: string, missedChecks: number) {
    this.#database = database;
    this.#own = own;
    this.#missedChecks = missedChecks;
    this.#rows = database.read<InstanceRow>('SELECT id, beats FROM invocation_instances');
  }

  /** Writes one heartbeat of this instance. */
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

  /** Checks the other instances: how many there are, and which of them are dead. */
  async check(): Promise<{ readonly others: number; readonly dead: readonly string[] }> {
    const rows = (await this.#rows.all()).filter(({ id }) => id !== this.#own);
    const before = this.#seen;
    this.#seen = new Map(
      rows.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, missed: last?.beats === beats ? last.missed + 1 : 0 }];
      }),
    );
    const dead = rows.filter(({ id }) => this.#seen.get(id)!.missed >= this.#missedChecks);
    return { others: rows.length, dead: dead.map(({ id }) => id) };
  }

  /** Deletes an instance unless it has an open call. */
  async delete(id: string): Promise<void> {
    const sql = `DELETE FROM invocation_instances
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM invocation_open_calls WHERE instance = ?)`;
    await this.#database.write([], [{ sql, values: [id, id] }]);
  }

  /** Deletes this instance, and its open calls: they were refused although their beginning was stored. */
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

import type { PreparedRead, Transaction } from '../database.ts';
import type { Change, ChangeLog } from '../invalidation/change-watch.ts';
import { UnfitDatabase } from '../violations.ts';

/** A transaction blocks others that publish on the same topics until it commits, so it is ended when it takes longer. */
const COMMITS_WITHIN_MS = 5_000;

/** Locks the row until the end of the transaction, so that changes are counted in the order of commits. */
const RECORD = `
  INSERT INTO core_changes AS known (topic, changes, key)
  SELECT topic, 1, key FROM json_to_recordset(CAST(? AS json)) AS published (topic text, key text) ORDER BY topic
  ON CONFLICT (topic) DO UPDATE SET changes = known.changes + 1, key = excluded.key`;

const POLL = 'SELECT topic, changes, key FROM core_changes';

interface ChangeRow {
  readonly topic: string;
  /** The number of transactions that changed keys of the topic. */
  readonly changes: number;
  /** The key that the last transaction changed; null for more than one. */
  readonly key: string | null;
}

/** Stores one row for each topic, which counts the transactions with changes. */
export class PostgresChanges implements ChangeLog {
  readonly #read: PreparedRead<ChangeRow>;
  readonly #seen = new Map<string, number>();

  constructor(read: (sql: string) => PreparedRead<ChangeRow>) {
    this.#read = read(POLL);
  }

  async record(trx: Transaction, changes: readonly Change[]): Promise<void> {
    const keys = new Map<string, string | null>();
    for (const { topic, key = null } of changes) keys.set(topic, keys.has(topic) ? null : key);
    const rows = [...keys].map(([topic, key]) => ({ topic, key }));
    await trx.raw("SELECT set_config('idle_in_transaction_session_timeout', ?, true)", [
      String(COMMITS_WITHIN_MS),
    ]);
    await trx.raw(RECORD, [JSON.stringify(rows)]);
  }

  async poll(): Promise<readonly Change[]> {
    const changed: Change[] = [];
    for (const { topic, changes, key } of await this.#rows()) {
      const seen = this.#seen.get(topic) ?? 0;
      if (changes === seen) continue;
      this.#seen.set(topic, changes);
      changed.push({ topic, key: changes === seen + 1 && key !== null ? key : undefined });
    }
    return changed;
  }

  async #rows(): Promise<readonly ChangeRow[]> {
    try {
      return await this.#read.all();
    } catch (error) {
      // The table is missing before the first migration, when nothing can have changed.
      if (error instanceof UnfitDatabase) return [];
      throw error;
    }
  }
}

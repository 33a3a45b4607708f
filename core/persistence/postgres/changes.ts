import type pg from 'pg';
import type { Transaction } from '../database.ts';
import type { Signal } from '../invalidation/local-signals.ts';
import { sqlState } from './failures.ts';

/** Who published which keys of a topic (`null`: too many to name), and how many transactions have by then. */
export type Message = readonly [
  instance: string,
  topic: string,
  keys: readonly string[] | null,
  changes: number,
];

/** Who the message is from, and where it goes. */
export interface Sender {
  readonly instance: string;
  readonly channel: string;
}

/** PostgreSQL takes notifications of less than 8000 bytes. */
const MOST_BYTES = 7_000;
/** Whoever published holds up those of the same topics until it commits, and must not do so when it is stuck. */
const COMMITS_WITHIN_MS = 5_000;
const UNDEFINED_TABLE = '42P01';

/** Counts in the order of commits, since a row is held from here to the end of the transaction. */
const ANNOUNCE = `
  WITH published AS (SELECT key AS topic, value AS keys FROM json_each(CAST(? AS json))),
  counted AS (
    INSERT INTO core_changes AS known (topic, changes) SELECT topic, 1 FROM published ORDER BY topic
    ON CONFLICT (topic) DO UPDATE SET changes = known.changes + 1
    RETURNING topic, changes
  )
  SELECT pg_notify(?, json_build_array(CAST(? AS text), topic, keys, changes)::text),
    set_config('idle_in_transaction_session_timeout', ?, true)
  FROM published JOIN counted USING (topic)`;

/** Counts the change of each topic, and notifies of it; both happen with the commit, or not at all. */
export async function announceChanges(
  trx: Transaction,
  { instance, channel }: Sender,
  signals: readonly Signal[],
): Promise<void> {
  const keys: Record<string, string[]> = {};
  for (const { topic, key } of signals) (keys[topic] ??= []).push(key);
  const short = Object.entries(keys).map(([topic, all]) => [topic, isShort(all) ? all : null]);
  await trx.raw(ANNOUNCE, [
    JSON.stringify(Object.fromEntries(short)),
    channel,
    instance,
    String(COMMITS_WITHIN_MS),
  ]);
}

function isShort(keys: readonly string[]): boolean {
  return Buffer.byteLength(JSON.stringify(keys)) <= MOST_BYTES;
}

/** How many changes each topic has seen. */
export async function countedChanges(client: pg.ClientBase): Promise<ReadonlyMap<string, number>> {
  try {
    const { rows } = await client.query<{ topic: string; changes: number }>(
      'SELECT topic, changes FROM core_changes',
    );
    return new Map(rows.map(({ topic, changes }) => [topic, changes]));
  } catch (error) {
    // Before the first migration nothing can have been published.
    if (sqlState(error) === UNDEFINED_TABLE) return new Map();
    throw error;
  }
}

import type { Transaction } from '../database.ts';
import type { ForeignChanges } from '../migrations/foreign-changes.ts';

/** What can be read, and sequences. */
const TABLES = `
  SELECT relations.oid, relname AS name FROM pg_class relations JOIN pg_namespace spaces ON spaces.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')`;

/** All that is more than reading takes another lock, which is held to the end of the transaction. */
const CHANGED = `
  SELECT DISTINCT relation AS oid FROM pg_locks
  WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode NOT IN ('AccessShareLock', 'RowShareLock')`;

/**
 * Asks the server which tables this transaction changed. The catalog before and after would also tell of what others did
 * meanwhile, such as months that an instance makes ahead of time.
 */
export const foreignChanges: ForeignChanges = async (trx, { run, isOwn }) => {
  const before = await tables(trx);
  await run();
  const after = await tables(trx);
  const changed = await rows<{ oid: number }>(trx, CHANGED);
  const names = changed.flatMap(({ oid }) => [before.get(oid), after.get(oid)]);
  return [...new Set(names)].filter((name) => name !== undefined && !isOwn(name)) as string[];
};

async function tables(trx: Transaction): Promise<ReadonlyMap<number, string>> {
  const found = await rows<{ oid: number; name: string }>(trx, TABLES);
  return new Map(found.map(({ oid, name }) => [oid, name]));
}

async function rows<Row>(trx: Transaction, sql: string): Promise<Row[]> {
  return ((await trx.raw(sql)) as { rows: Row[] }).rows;
}

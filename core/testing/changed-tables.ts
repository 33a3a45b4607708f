import type { Engine, Transaction } from '../persistence/database.ts';

/** Runs a step and returns the names of the tables, views and sequences that it changed. */
type ChangedTables = (trx: Transaction, run: () => Promise<void>) => Promise<readonly string[]>;

/** Finds what a transaction created, changed, dropped or wrote into. */
export const changedTables: Readonly<Record<Engine, ChangedTables>> = {
  postgres: async (trx, run) => {
    const before = await relations(trx);
    await run();
    const after = await relations(trx);
    const changed = await rows<{ oid: number }>(trx, CHANGED);
    return changed.flatMap(({ oid }) => [before.get(oid), after.get(oid)]).filter(isKnown);
  },
  sqlite: async (trx, run) => {
    const before = await contents(trx);
    await run();
    const after = await contents(trx);
    const names = [...before.keys(), ...after.keys()];
    return names.filter((name) => before.get(name) !== after.get(name));
  },
};

/** Tables, views and sequences. */
const RELATIONS = `
  SELECT relations.oid, relname AS name FROM pg_class relations JOIN pg_namespace spaces ON spaces.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')`;

/** Every operation but reading takes another lock mode, until the end of the transaction. */
const CHANGED = `
  SELECT DISTINCT relation AS oid FROM pg_locks
  WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode NOT IN ('AccessShareLock', 'RowShareLock')`;

async function relations(trx: Transaction): Promise<ReadonlyMap<number, string>> {
  const found = await rows<{ oid: number; name: string }>(trx, RELATIONS);
  return new Map(found.map(({ oid, name }) => [oid, name]));
}

async function rows<Row>(trx: Transaction, sql: string): Promise<Row[]> {
  return ((await trx.raw(sql)) as { rows: Row[] }).rows;
}

function isKnown(name: string | undefined): name is string {
  return name !== undefined;
}

/** Definitions of tables and views, with their indexes and triggers. */
const PARTS = `
  SELECT tbl_name AS "table", type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`;

interface Part {
  readonly table: string;
  readonly type: string;
  readonly name: string;
}

/** The definition and the rows of each table as text, by table. */
async function contents(trx: Transaction): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const part of (await trx.raw(PARTS)) as Part[]) {
    const stored: unknown[] = part.type === 'table' ? await trx(part.name).select() : [];
    found.set(part.table, `${found.get(part.table) ?? ''}${JSON.stringify([part, stored])}`);
  }
  return found;
}

import type { Transaction } from '../database.ts';
import type { ForeignChanges, WatchedStep } from '../migrations/foreign-changes.ts';

/** What belongs to a table: itself, its indexes and its triggers; or a view. */
interface Part {
  readonly table: string;
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const PARTS = `
  SELECT tbl_name AS "table", type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'`;
const GUARDS = "SELECT name FROM sqlite_temp_master WHERE type = 'trigger'";

/** Compares what SQLite keeps as the definition of each table, and has it refuse writes into those of others. */
export const foreignChanges: ForeignChanges = async (trx, step) => {
  const before = await partsOf(trx);
  const dropped = await guarded(trx, before, step);
  const after = await partsOf(trx);
  const changed = [...difference(before, after), ...difference(after, before)].filter(
    (table) => !step.isOwn(table),
  );
  return [...new Set([...dropped, ...changed])];
};

async function partsOf(trx: Transaction): Promise<readonly Part[]> {
  return (await trx.raw(PARTS)) as Part[];
}

function difference(some: readonly Part[], others: readonly Part[]): string[] {
  const known = new Set(others.map(textOf));
  return some.filter((part) => !known.has(textOf(part))).map(({ table }) => table);
}

function textOf({ table, type, name, sql }: Part): string {
  return JSON.stringify([table, type, name, sql]);
}

/** Runs the step while triggers of this connection refuse its writes, and names the tables that it dropped and made anew. */
async function guarded(
  trx: Transaction,
  parts: readonly Part[],
  { run, isOwn, holdsData }: WatchedStep,
): Promise<readonly string[]> {
  const tables = holdsData
    ? parts.filter(({ type, name }) => type === 'table' && !isOwn(name)).map(({ name }) => name)
    : [];
  const guards = new Map(
    tables.flatMap((table, index) =>
      ['INSERT', 'UPDATE', 'DELETE'].map((event) => [`vitrine_guard_${index}_${event}`, { table, event }]),
    ),
  );
  for (const [name, { table, event }] of guards) {
    await trx.raw(
      `CREATE TEMP TRIGGER ${name} BEFORE ${event} ON main.${quoted(table, '"')} ` +
        `BEGIN SELECT RAISE(ABORT, ${quoted(`it writes into ${table}, which is not a table of this plugin.`, "'")}); END`,
    );
  }
  await run();
  const left = new Set(((await trx.raw(GUARDS)) as { name: string }[]).map(({ name }) => name));
  for (const name of left) if (guards.has(name)) await trx.raw(`DROP TRIGGER temp.${name}`);
  return [...guards].filter(([name]) => !left.has(name)).map(([, { table }]) => table);
}

function quoted(text: string, mark: string): string {
  return mark + text.replaceAll(mark, mark + mark) + mark;
}

import { StartupError } from '../../core/errors/startup-error.ts';
import type { DatabaseLocation } from '../../core/persistence/location.ts';
import { fromJson, toJson, type Row } from './cell.ts';
import { differing, sumOf, type Comparison } from './compare.ts';
import { openSource } from './open.ts';
import type { KeyRange, RowSource } from './row-source.ts';
import type { RowTarget } from './row-target.ts';
import { commonKinds, inOrderOf, type StoredTable } from './stored-table.ts';
import { counted, type TransferProgress } from './transfer-progress.ts';

export interface Move {
  readonly source: RowSource;
  /** Its tables are made, and it is marked as loaded in part. */
  readonly target: RowTarget;
  readonly targetLocation: DatabaseLocation;
  readonly progress: TransferProgress;
  /** Makes room for the rows of a table. */
  readonly makeRoom: (table: string, range: KeyRange) => Promise<void>;
}

export interface Moved {
  readonly comparisons: readonly Comparison[];
  /** Tables that the engine of the target does not have. */
  readonly leftOut: readonly string[];
  /** Whether an earlier run had loaded a part. */
  readonly isResumed: boolean;
}

/** A table at both ends, with its columns in the same order. */
interface Pair {
  readonly from: StoredTable;
  readonly to: StoredTable;
}

/**
 * Copies all tables and compares them, going on where an earlier run ended. The source may have changed since that run, so
 * tables that differ after it are copied once more. The caller decides about those that differ still.
 */
export async function moveTables(move: Move): Promise<Moved> {
  const { target } = move;
  const { pairs, leftOut } = await pairsOf(move);
  let isResumed = false;
  for (const pair of pairs) isResumed = (await copy(move, pair)) || isResumed;
  let comparisons = await compare(move, pairs);
  if (isResumed) {
    const again = differing(comparisons).map(({ table }) => table);
    for (const pair of pairs.filter(({ from }) => again.includes(from.name))) {
      await target.clear(pair.to);
      await copy(move, pair);
    }
    if (again.length > 0) comparisons = await compare(move, pairs);
  }
  move.progress.done();
  if (differing(comparisons).length === 0) await target.complete();
  return { comparisons, leftOut, isResumed };
}

async function pairsOf({
  source,
  target,
}: Move): Promise<{ readonly pairs: readonly Pair[]; readonly leftOut: readonly string[] }> {
  const there = new Map((await target.tables()).map((table) => [table.name, table]));
  const pairs: Pair[] = [];
  const leftOut: string[] = [];
  for (const from of source.tables) {
    const table = there.get(from.name);
    const to = table && inOrderOf(from, table);
    if (to) pairs.push({ from, to });
    else if (!table && source.engine !== target.engine) leftOut.push(from.name);
    else throw unlikeTables(from.name);
  }
  return { pairs, leftOut };
}

function unlikeTables(name: string): StartupError {
  return new StartupError(
    `The table ${name} has other columns than the table that this release makes. Move with the release that runs on the database, and upgrade afterwards.`,
  );
}

/** Copies what is missing of a table; returns whether an earlier run had copied a part. */
async function copy({ source, target, progress, makeRoom }: Move, { from, to }: Pair): Promise<boolean> {
  const known = await target.progress(to);
  if (known?.isDone === true) return true;
  const after = known?.after?.map(fromJson);
  if (after === undefined) {
    await target.clear(to);
    const range = await source.range(from);
    if (range) await makeRoom(from.name, range);
  }
  let count = after === undefined ? 0 : known!.rows;
  progress.step('Moving', from.name, (await source.count(from)) - count);
  for await (const rows of counted(source.rows(from, after), progress)) {
    count += rows.length;
    await target.insert(to, rows, { rows: count, isDone: false, after: keyOf(from, rows.at(-1)!) });
  }
  await target.insert(to, [], { rows: count, isDone: true });
  return known !== undefined;
}

/** The key of a row in JSON; `undefined` without a key: such a table is copied again from its beginning. */
function keyOf({ key, columns }: StoredTable, row: Row): readonly unknown[] | undefined {
  if (key.length === 0) return undefined;
  return key.map((name) => toJson(row[columns.findIndex((column) => column.name === name)]!));
}

async function compare(
  { source, targetLocation, progress }: Move,
  pairs: readonly Pair[],
): Promise<Comparison[]> {
  const stored = await openSource(targetLocation);
  const comparisons: Comparison[] = [];
  try {
    for (const { from, to } of pairs) {
      const kinds = commonKinds(from, to);
      progress.step('Comparing', from.name);
      const expected = await sumOf(source, from, kinds, progress);
      comparisons.push({ table: from.name, expected, found: await sumOf(stored, to, kinds, progress) });
    }
  } finally {
    await stored.close();
  }
  return comparisons;
}

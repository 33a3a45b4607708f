import { StartupError } from '../../../core/errors/startup-error.ts';
import type { DatabaseLocation } from '../../../core/persistence/location.ts';
import { commonKinds, inOrderOf, type StoredTable } from '../stored-table.ts';
import { sumOf, type Comparison } from '../compare.ts';
import { openSource } from '../open.ts';
import type { KeyRange } from '../row-source.ts';
import type { RowTarget } from '../row-target.ts';
import { TableDigest, type TableSum } from '../table-digest.ts';
import type { TransferProgress } from '../transfer-progress.ts';
import { pathOfFile, type ArchivedTable, type ArchiveHeader } from './format.ts';
import { readArchive } from './read-archive.ts';
import { refuseOutside, RestoredFile } from './restored-file.ts';

/** What an archive holds, found by reading all of it. */
export interface ArchiveContent {
  readonly header: ArchiveHeader;
  readonly tables: readonly (TableSum & { readonly name: string })[];
  readonly files: readonly string[];
}

/** Reads and checks a whole archive, and changes nothing. Throws `StartupError` for one that cannot be restored. */
export async function checkArchive(file: string, progress: TransferProgress): Promise<ArchiveContent> {
  const tables: (TableSum & { readonly name: string })[] = [];
  const files: string[] = [];
  const header = await readArchive(file, {
    begin: ({ table }) => {
      const path = pathOfFile(table);
      if (path !== undefined) refuseOutside(path);
      progress.step('Checking', table.name);
    },
    rows: (rows) => progress.rows(rows.length),
    end: (sum, { table }) => {
      const path = pathOfFile(table);
      if (path === undefined) tables.push({ name: table.name, ...sum });
      else files.push(path);
    },
  });
  progress.done();
  return { header, tables, files };
}

export interface Restore {
  readonly file: string;
  readonly content: ArchiveContent;
  readonly target: RowTarget;
  readonly location: DatabaseLocation;
  readonly dataDir: string;
  readonly progress: TransferProgress;
  /** Makes room for the rows of a table. */
  readonly makeRoom: (table: string, range: KeyRange) => Promise<void>;
}

export interface Restored {
  readonly comparisons: readonly Comparison[];
  /** Tables that the engine of the target does not have. */
  readonly leftOut: readonly string[];
}

/** Loads the rows and files of an archive into tables that were made for them, and reads the tables back. */
export async function loadArchive(restore: Restore): Promise<Restored> {
  const { file, target, progress } = restore;
  const loads = new Map((await target.tables()).map((table) => [table.name, table]));
  const sums = new Map<string, { readonly table: StoredTable; readonly digest: TableDigest }>();
  const leftOut: string[] = [];
  let current: Load | undefined;
  await readArchive(file, {
    begin: async ({ table, range }) => {
      const path = pathOfFile(table);
      if (path !== undefined) current = new RestoredFile(restore.dataDir, path);
      else {
        const there = targetTable(restore, table, loads.get(table.name));
        if (!there) leftOut.push(table.name);
        const digest = there && new TableDigest(commonKinds(table, there));
        if (there && digest) sums.set(table.name, { table: there, digest });
        current = there && digest ? await beginTable(restore, there, digest, range) : undefined;
      }
      progress.step(
        'Restoring',
        table.name,
        restore.content.tables.find(({ name }) => name === table.name)?.rows,
      );
    },
    rows: async (rows) => {
      await current?.rows(rows);
      progress.rows(rows.length);
    },
    end: async () => current?.end(),
  });
  await target.complete();
  return { comparisons: await comparisonsOf(restore, sums), leftOut };
}

/** Takes the rows of one table, or the parts of one file. */
interface Load {
  rows(rows: Parameters<TableDigest['add']>[0]): Promise<void>;
  end(): Promise<void>;
}

function targetTable(
  { content, target }: Restore,
  table: StoredTable,
  there: StoredTable | undefined,
): StoredTable | undefined {
  const aligned = there && inOrderOf(table, there);
  if (aligned || (!there && content.header.engine !== target.engine)) return aligned;
  throw new StartupError(
    `The table ${table.name} of the backup has ${there ? 'other columns than' : 'no counterpart among'} the tables that this release makes. Restore with the release that made the backup, Vitrine ${content.header.vitrine}.`,
  );
}

async function beginTable(
  { target, makeRoom }: Restore,
  table: StoredTable,
  digest: TableDigest,
  range: ArchivedTable['range'],
): Promise<Load> {
  const isDone = (await target.progress(table))?.isDone === true;
  if (!isDone) {
    await target.clear(table);
    if (range) await makeRoom(table.name, range);
  }
  let count = 0;
  return {
    rows: async (rows) => {
      digest.add(rows);
      count += rows.length;
      if (!isDone) await target.insert(table, rows, { rows: count, isDone: false });
    },
    end: async () => {
      if (!isDone) await target.insert(table, [], { rows: count, isDone: true });
    },
  };
}

async function comparisonsOf(
  { location, progress }: Restore,
  sums: ReadonlyMap<string, { readonly table: StoredTable; readonly digest: TableDigest }>,
): Promise<Comparison[]> {
  const stored = await openSource(location);
  const comparisons: Comparison[] = [];
  try {
    for (const [name, { table, digest }] of sums) {
      progress.step('Comparing', name, digest.sum().rows);
      const found = await sumOf(stored, table, digest.kinds, progress);
      comparisons.push({ table: name, expected: digest.sum(), found });
    }
  } finally {
    await stored.close();
  }
  progress.done();
  return comparisons;
}

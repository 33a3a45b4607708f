import { isDeepStrictEqual } from 'node:util';
import { StartupError } from '../../../core/errors/startup-error.ts';
import type { DatabaseLocation } from '../../../core/persistence/location.ts';
import { openSource } from '../open.ts';
import { refuseUnfit, type RowSource } from '../row-source.ts';
import type { AppliedSteps } from '../stored-table.ts';
import type { TableSum } from '../table-digest.ts';
import { counted, type TransferProgress } from '../transfer-progress.ts';
import { contentOf, filesIn, partsOf } from './folder-files.ts';
import { FORMAT, tableOfFile, type ArchiveHeader } from './format.ts';
import { writeArchive, type ArchiveWriter } from './write-archive.ts';

export interface Backup {
  /** The archive to write. */
  readonly file: string;
  readonly location: DatabaseLocation;
  readonly dataDir: string;
  /** Folders of the data directory whose files are copied. */
  readonly folders: readonly string[];
  readonly header: Omit<ArchiveHeader, 'vitrine_backup' | 'engine' | 'applied'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly progress: TransferProgress;
}

export interface BackedUp {
  readonly bytes: number;
  readonly engine: ArchiveHeader['engine'];
  readonly tables: readonly (TableSum & { readonly name: string })[];
  readonly files: readonly string[];
  /** Tables of the database that belong to no plugin. */
  readonly foreign: readonly string[];
}

/**
 * Writes a backup. Files are copied before the moment of the database: a record that a service stores in between is in both,
 * and not in neither; when the file is read again, what is stored already is not stored twice.
 */
export async function backUp(backup: Backup): Promise<BackedUp> {
  let copied: Omit<BackedUp, 'bytes'> | undefined;
  const { bytes } = await writeArchive(backup.file, backup.now, async (archive) => {
    const { engine, applied } = await stepsIn(backup.location);
    await archive.header({ vitrine_backup: FORMAT, engine, applied, ...backup.header });
    const files = await copyFiles(backup, archive);
    copied = { engine, files, ...(await copyTables(backup, archive, applied)) };
  });
  backup.progress.done();
  return { bytes, ...copied! };
}

async function stepsIn(location: DatabaseLocation): Promise<Pick<RowSource, 'engine' | 'applied'>> {
  const source = await openSource(location);
  await source.close();
  refuseUnfit(source);
  return source;
}

async function copyFiles({ dataDir, folders }: Backup, archive: ArchiveWriter): Promise<string[]> {
  const copied: string[] = [];
  for (const path of filesIn(dataDir, folders)) {
    const content = contentOf(dataDir, path);
    if (content === undefined) continue;
    await archive.table(tableOfFile(path), undefined, partsOf(content));
    copied.push(path);
  }
  return copied;
}

async function copyTables(
  { location, progress }: Backup,
  archive: ArchiveWriter,
  applied: readonly AppliedSteps[],
): Promise<Pick<BackedUp, 'tables' | 'foreign'>> {
  const source = await openSource(location);
  const tables: (TableSum & { readonly name: string })[] = [];
  try {
    if (!isDeepStrictEqual(source.applied, applied)) {
      throw new StartupError('The tables were upgraded at this moment. No backup was made; try again.');
    }
    for (const table of source.tables) {
      progress.step('Backing up', table.name, await source.count(table));
      const rows = counted(source.rows(table), progress);
      tables.push({ name: table.name, ...(await archive.table(table, await source.range(table), rows)) });
    }
    return { tables, foreign: source.foreign };
  } finally {
    await source.close();
  }
}

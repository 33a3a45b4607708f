import { once } from 'node:events';
import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { toJson, type Row } from '../cell.ts';
import type { KeyRange } from '../row-source.ts';
import type { StoredTable } from '../stored-table.ts';
import { TableDigest, type TableSum } from '../table-digest.ts';
import type { ArchiveHeader, LastLine, TableEndLine, TableLine } from './format.ts';

/** Beyond this age an unfinished file belongs to no running backup. */
const ABANDONED_MS = 60_000;
/** Half the size of level 1 for a little more time; higher levels gain almost nothing. */
const LEVEL = 4;

/** Receives the content of an archive. */
export interface ArchiveWriter {
  header(header: ArchiveHeader): Promise<void>;
  table(
    table: StoredTable,
    range: KeyRange | undefined,
    rows: AsyncIterable<readonly Row[]>,
  ): Promise<TableSum>;
}

/**
 * Writes an archive that only its owner may read. It gets its name when it is complete and synced; nothing is left behind
 * when `work` fails. Throws `StartupError` when the file exists or cannot be written.
 */
export async function writeArchive(
  file: string,
  now: number,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<{ readonly bytes: number }> {
  const partial = `${file}.partial`;
  refuseMissingFolder(file);
  refuseExisting(file);
  refuseOtherBackup(partial, now);
  try {
    await writeAll(partial, work);
    await sync(partial);
    refuseExisting(file);
    await rename(partial, file);
    await sync(dirname(file));
    return { bytes: statSync(file).size };
  } catch (error) {
    rmSync(partial, { force: true });
    throw writeFailure(file, error);
  }
}

/** A folder that is made here would hide that a disk for backups is not mounted. */
function refuseMissingFolder(file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new StartupError(
    `There is no folder ${folder} for ${file}. Mount its disk, make the folder, or name another file.`,
  );
}

async function writeAll(partial: string, work: (writer: ArchiveWriter) => Promise<void>): Promise<void> {
  const gzip = createGzip({ level: LEVEL });
  const output = createWriteStream(partial, { mode: 0o600 });
  // A failure of either stream is thrown by the next line that is written, or at the end.
  let failed: Error | undefined;
  const fail = (error: Error): void => {
    failed ??= error;
    gzip.destroy();
    output.destroy();
  };
  gzip.on('error', fail);
  output.on('error', fail);
  gzip.pipe(output);
  const check = (): void => {
    if (failed !== undefined) throw failed;
  };
  const write = async (text: string): Promise<void> => {
    check();
    if (!gzip.write(text)) await drained(gzip);
    check();
  };
  try {
    // Otherwise the stream would make the file after a fast failure had removed it.
    await once(output, 'open');
    let tables = 0;
    await work({
      header: (header) => write(line(header)),
      table: async (table, range, rows) => {
        tables += 1;
        return writeTable(write, table, range, rows);
      },
    });
    const last: LastLine = { complete: true, tables };
    await write(line(last));
    gzip.end();
    await finished(output).catch((error: unknown) => {
      throw failed ?? error;
    });
  } catch (error) {
    fail(error as Error);
    throw failed ?? error;
  }
}

/** Also returns when the stream was closed by a failure. */
async function drained(stream: Writable): Promise<void> {
  // Without the signal, the listeners for what did not happen would stay, and add up.
  const waited = new AbortController();
  const { signal } = waited;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })])
    .catch(() => undefined)
    .finally(() => waited.abort());
}

async function writeTable(
  write: (text: string) => Promise<void>,
  table: StoredTable,
  range: KeyRange | undefined,
  rows: AsyncIterable<readonly Row[]>,
): Promise<TableSum> {
  const begin: TableLine = {
    table: {
      name: table.name,
      columns: table.columns.map(({ name, kind }) => ({ name, kind })),
      key: table.key,
    },
    ...(range && { range: { first: range.first.map(toJson), last: range.last.map(toJson) } }),
  };
  await write(line(begin));
  const digest = new TableDigest(table.columns.map(({ kind }) => kind));
  for await (const batch of rows) {
    digest.add(batch);
    await write(batch.map((row) => line(row.map(toJson))).join(''));
  }
  const end: TableEndLine = { end: table.name, ...digest.sum() };
  await write(line(end));
  return digest.sum();
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function refuseExisting(file: string): void {
  if (existsSync(file)) {
    throw new StartupError(
      `${file} exists already and is left as it is. Name another file, or move that one away.`,
    );
  }
}

function refuseOtherBackup(partial: string, now: number): void {
  if (!existsSync(partial) || now - statSync(partial).mtimeMs > ABANDONED_MS) return;
  throw new StartupError(
    `${partial} was written a moment ago, so another backup to the same file is running, or one was interrupted within the last minute. Wait a minute, or name another file.`,
  );
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

function writeFailure(file: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (NO_ROOM.includes(code)) {
    return new StartupError(
      `There is no room for ${file} (${code}). No backup was made, and the unfinished file is removed. Make room, or name a file on another disk.`,
      [],
      { cause: error },
    );
  }
  if (syscall === undefined) return error;
  return new StartupError(`${file} cannot be written: ${message}. No backup was made.`, [], { cause: error });
}

import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallRow } from './call-row.ts';

/** The folder of the data directory with records that the database did not take. */
export const SPOOL_FOLDER = 'spool/calls';

const ENDING = '.json';
const TEMPORARY = '.tmp';
const REFUSED = '.refused';

/** What a spool holds. */
export interface SpoolSize {
  readonly batches: number;
  readonly batchBytes: number;
  /** Files with records that the database can never store. */
  readonly refused: number;
  /** Of all files. */
  readonly bytes: number;
}

interface MeasuredFile {
  readonly name: string;
  readonly size: number;
}

/**
 * Records that the database did not take, in one file per batch in the data directory. Any process that uses the
 * directory may store any file, since stored records are not stored again.
 */
export class Spool {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when the rows are durable on the disk. */
  async add(rows: readonly CallRow[]): Promise<void> {
    await this.#write(`${rows[0]!.id}${ENDING}`, rows);
  }

  /** Keeps a row that the database refuses, for the operator to inspect. */
  async refuse(row: CallRow): Promise<void> {
    await this.#write(`${row.id}${ENDING}${REFUSED}`, [row]);
  }

  /** The names of the batches, oldest first. */
  async names(): Promise<string[]> {
    return (await this.#files()).filter((name) => name.endsWith(ENDING)).sort();
  }

  /** Measures the files. Other processes may store and remove them meanwhile. */
  async size(): Promise<SpoolSize> {
    const files = await Promise.all((await this.#files()).map((name) => this.#measured(name)));
    const batches = files.filter(({ name }) => name.endsWith(ENDING));
    return {
      batches: batches.length,
      batchBytes: sumOf(batches),
      refused: files.filter(({ name }) => name.endsWith(REFUSED)).length,
      bytes: sumOf(files),
    };
  }

  /** The rows of a batch; `undefined` when another process stored it. Throws `SyntaxError` when the file is damaged. */
  async read(name: string): Promise<readonly CallRow[] | undefined> {
    try {
      return JSON.parse(await readFile(join(this.#directory, name), 'utf8')) as CallRow[];
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#directory, name), { force: true });
  }

  /** Renames a damaged file, so that it is kept and no longer counts as a batch. */
  async quarantine(name: string): Promise<void> {
    await rename(join(this.#directory, name), join(this.#directory, name + REFUSED));
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#directory);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #measured(name: string): Promise<MeasuredFile> {
    const size = await stat(join(this.#directory, name)).then(
      (found) => found.size,
      () => 0,
    );
    return { name, size };
  }

  async #write(name: string, rows: readonly CallRow[]): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, name);
    await writeDurably(path + TEMPORARY, JSON.stringify(rows));
    await rename(path + TEMPORARY, path);
    await syncDirectory(this.#directory);
  }
}

/** A number of batches in words, such as `2 batches of records`. */
export function batchesInWords(count: number): string {
  return count === 1 ? '1 batch of records' : `${count} batches of records`;
}

function sumOf(files: readonly MeasuredFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Writes a file durably. Removes an incomplete file, which would keep a full disk full. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

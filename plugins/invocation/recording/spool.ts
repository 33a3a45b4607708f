import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallRow } from './call-row.ts';

const ENDING = '.json';
const TEMPORARY = '.tmp';
const REFUSED = '.refused';

/**
 * Records that the database did not take, each batch in a file of its own in the data directory. A batch stays a
 * batch: its rows were, and will be, written by one transaction. Any process on the directory may replay any file,
 * for a record that is stored already is not stored again.
 */
export class Spool {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves with the name of the batch when the rows are on the disk. */
  async add(rows: readonly CallRow[]): Promise<string> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const name = `${rows[0]!.id}${ENDING}`;
    const path = join(this.#directory, name);
    await writeDurably(path + TEMPORARY, JSON.stringify(rows));
    await rename(path + TEMPORARY, path);
    await syncDirectory(this.#directory);
    return name;
  }

  /** Makes a batch of each row of one that is set aside. The first takes the place of that one, after all others. */
  async part(rows: readonly CallRow[]): Promise<void> {
    for (const row of rows.toReversed()) await this.add([row]);
  }

  /** The names of the batches, oldest first. */
  async names(): Promise<string[]> {
    try {
      return (await readdir(this.#directory)).filter((name) => name.endsWith(ENDING)).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** The rows of a batch, or `undefined` when another process has replayed it. Throws when the file is damaged. */
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

  /** Lays a batch aside that can never be stored, for people to look at. */
  async refuse(name: string): Promise<void> {
    try {
      await rename(join(this.#directory, name), join(this.#directory, name + REFUSED));
    } catch (error) {
      // Another process was faster.
      if (!isMissing(error)) throw error;
    }
  }
}

/** What is written of it when that fails would keep a full disk full, and nobody would look for it later. */
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

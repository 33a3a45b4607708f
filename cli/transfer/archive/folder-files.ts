import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../cell.ts';

const PART_BYTES = 1_000_000;
/** Files that are still being written. */
const UNFINISHED = /\.(tmp|partial)$/;

/** The files in folders of the data directory, by paths relative to it. */
export function filesIn(dataDir: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const path = join(dataDir, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
      .map(({ name }) => `${folder}/${name}`)
      .sort();
  });
}

/** The content of a file; `undefined` when it is gone, because its records were stored meanwhile. */
export function contentOf(dataDir: string, path: string): Buffer | undefined {
  try {
    return readFileSync(join(dataDir, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The parts of a file as rows. */
export async function* partsOf(content: Buffer): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < content.length; at += PART_BYTES) {
    yield [[at / PART_BYTES, content.subarray(at, at + PART_BYTES)]];
  }
}

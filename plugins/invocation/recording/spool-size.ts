import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the data directory with records that the database did not take. */
export const SPOOL_FOLDER = 'spool/calls';

/** What a spool holds. */
export interface SpoolSize {
  readonly batches: number;
  /** Files with records that the database can never store. */
  readonly refused: number;
  readonly bytes: number;
}

/** Measures the spool of a data directory. Other processes may empty it meanwhile. */
export async function spoolSize(dataDirectory: string): Promise<SpoolSize> {
  const folder = join(dataDirectory, SPOOL_FOLDER);
  const names = await readdir(folder).catch(emptyWhenMissing);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return {
    batches: names.filter((name) => name.endsWith('.json')).length,
    refused: names.filter((name) => name.endsWith('.refused')).length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

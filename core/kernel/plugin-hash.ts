import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, realpathSync, type Dirent } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../errors/startup-error.ts';
import type { FoundPlugin } from './found-plugin.ts';

/** What git keeps for itself changes without the code, and is not loaded. */
const NOT_CODE = '.git';

/**
 * The hash of a plugin's code as it is on the disk, `sha256-BASE64`: over every file of its folder with path, length and
 * bytes, and every link with the place it leads to, in the order of their paths. None of the code is loaded. Throws
 * `StartupError` when some of the code would not be among it, as behind a link that leads out of the folder.
 */
export function hashOf(plugin: FoundPlugin): string {
  try {
    return `sha256-${digestOf(plugin)}`;
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The files of the plugin "${plugin.id}" in ${plugin.folder} cannot be read: ${(error as Error).message}. Let the service read all of them.`,
      [],
      { cause: error },
    );
  }
}

function digestOf(plugin: FoundPlugin): string {
  const root = realpathSync(plugin.folder);
  const entry = fileURLToPath(plugin.entry);
  if (placeIn(root, entry) === undefined) {
    throw new StartupError(
      `The plugin "${plugin.id}" begins in ${entry}, which is not among the files of its folder ${plugin.folder} and so cannot be hashed. Name a file of the folder as "vitrine": {"plugin": "./…"} in its package.json.`,
    );
  }
  const hash = createHash('sha256');
  // By code unit: the order of another language must not make another hash.
  const content = [...contentOf(root, '')].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, kind] of content) {
    if (kind.isFile()) {
      const bytes = readFileSync(join(root, path));
      hash.update(`file\0${path}\0${bytes.length}\0`).update(bytes);
    } else if (kind.isSymbolicLink()) {
      hash.update(`link\0${path}\0${linkedPlace(plugin, root, path)}\0`);
    } else {
      throw new StartupError(
        `"${path}" of the plugin "${plugin.id}" in ${plugin.folder} is neither a file nor a folder nor a link, and so cannot be hashed. Take it away.`,
      );
    }
  }
  return hash.digest('base64');
}

/** All that is no directory, with its path from the root; `under` ends with a slash or is empty. */
function* contentOf(root: string, under: string): Generator<readonly [string, Dirent]> {
  for (const entry of readdirSync(join(root, under), { withFileTypes: true })) {
    const path = under + entry.name;
    if (path === NOT_CODE) continue;
    if (entry.isDirectory()) yield* contentOf(root, `${path}/`);
    else yield [path, entry];
  }
}

function linkedPlace(plugin: FoundPlugin, root: string, path: string): string {
  const place = placeIn(root, join(root, path));
  if (place !== undefined) return place;
  throw new StartupError(
    `The link "${path}" of the plugin "${plugin.id}" in ${plugin.folder} leads to "${readlinkSync(join(root, path))}", which is not among the files of that folder and so cannot be hashed. Put what it leads to in its place.`,
  );
}

/** The real place of a file, as a path from the root; `undefined` when it does not exist or is not hashed. */
function placeIn(root: string, file: string): string | undefined {
  let place: string;
  try {
    place = relative(root, realpathSync(file));
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  const steps = place.split(sep);
  return isAbsolute(place) || ['..', NOT_CODE].includes(steps[0]!) ? undefined : steps.join('/');
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, realpathSync, type Dirent } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../errors/startup-error.ts';
import type { FoundPlugin } from './found-plugin.ts';

/** The data of git is excluded: it changes independently of the code and is never loaded. */
const NOT_CODE = '.git';

/**
 * The hash of a plugin's code on the disk, `sha256-BASE64`: over every file of its folder with path, length and bytes,
 * and every link with its target, in the order of their paths. Loads none of the code. Throws `StartupError` when the
 * hash would not cover some of the code, such as the target of a link out of the folder.
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
  if (pathWithin(root, entry) === undefined) {
    throw new StartupError(
      `The plugin "${plugin.id}" begins in ${entry}, which is not among the files of its folder ${plugin.folder} and so cannot be hashed. Name a file of the folder as "vitrine": {"plugin": "./…"} in its package.json.`,
    );
  }
  const hash = createHash('sha256');
  // By code unit, so that the hash does not depend on the locale.
  const content = [...contentOf(root, '')].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, kind] of content) {
    if (kind.isFile()) {
      const bytes = readFileSync(join(root, path));
      hash.update(`file\0${path}\0${bytes.length}\0`).update(bytes);
    } else if (kind.isSymbolicLink()) {
      hash.update(`link\0${path}\0${linkTarget(plugin, root, path)}\0`);
    } else {
      throw new StartupError(
        `"${path}" of the plugin "${plugin.id}" in ${plugin.folder} is neither a file nor a folder nor a link, and so cannot be hashed. Remove it.`,
      );
    }
  }
  return hash.digest('base64');
}

/** All entries except directories, with their paths from the root; `under` ends with a slash or is empty. */
function* contentOf(root: string, under: string): Generator<readonly [string, Dirent]> {
  for (const entry of readdirSync(join(root, under), { withFileTypes: true })) {
    const path = under + entry.name;
    if (path === NOT_CODE) continue;
    if (entry.isDirectory()) yield* contentOf(root, `${path}/`);
    else yield [path, entry];
  }
}

function linkTarget(plugin: FoundPlugin, root: string, path: string): string {
  const target = pathWithin(root, join(root, path));
  if (target !== undefined) return target;
  throw new StartupError(
    `The link "${path}" of the plugin "${plugin.id}" in ${plugin.folder} leads to "${readlinkSync(join(root, path))}", which is not among the files of that folder and so cannot be hashed. Replace the link by a copy of its target.`,
  );
}

/** The real path of a file, relative to the root; `undefined` when it does not exist or is not hashed. */
function pathWithin(root: string, file: string): string | undefined {
  let path: string;
  try {
    path = relative(root, realpathSync(file));
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  const steps = path.split(sep);
  return isAbsolute(path) || ['..', NOT_CODE].includes(steps[0]!) ? undefined : steps.join('/');
}

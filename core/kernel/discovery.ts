import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StartupError } from '../errors/startup-error.ts';
import type { FoundPlugin } from './found-plugin.ts';
import type { PluginsSettings } from './settings.ts';

/** `.ts` when the source runs as it is, `.js` when it was built. */
const ownExtension = extname(fileURLToPath(import.meta.url));
const builtInDirectory = fileURLToPath(new URL('../../plugins/', import.meta.url));

type Selection = Pick<PluginsSettings, 'disabled' | 'enabled' | 'packages' | 'path'>;

/**
 * Finds built-in plugins, npm packages named in `plugins.packages` and folders under `plugins.path`, without loading
 * any of their code. Throws `StartupError` for a package or folder that is not there or not a plugin.
 */
export function discover(selection: Selection, from: string): readonly FoundPlugin[] {
  const found = [
    ...builtIn(selection),
    ...selection.packages.map((name) => fromPackage(name, selection, from)),
    ...fromPath(selection, from),
  ];
  const faults = [...duplicateIds(found), ...unknownIds(found, selection)];
  if (faults.length > 0) throw new StartupError(faults.join('\n'), faults);
  return found;
}

function builtIn({ disabled }: Selection): FoundPlugin[] {
  return readdirSync(builtInDirectory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ id: name, folder: join(builtInDirectory, name) }))
    .map((place) => ({ ...place, file: join(place.folder, `plugin${ownExtension}`) }))
    .filter(({ file }) => existsSync(file))
    .map(({ id, folder, file }) => ({
      id,
      origin: 'built-in' as const,
      enabled: !disabled.includes(id),
      folder,
      entry: pathToFileURL(file).href,
    }))
    .sort((a, b) => a.id.localeCompare(b.id));
}

function fromPackage(name: string, { disabled }: Selection, from: string): FoundPlugin {
  const folder = packageFolder(name, from);
  const manifest = readManifest(folder);
  if (!manifest.entry) {
    throw new StartupError(
      `The package "${name}", named in plugins.packages, is not a plugin: its package.json has no "vitrine": {"plugin": "./…"}.`,
    );
  }
  const id = manifest.id ?? name.replace(/^@[^/]+\//, '').replace(/^vitrine-plugin-/, '');
  return {
    id,
    origin: 'package',
    enabled: !disabled.includes(id),
    folder,
    entry: existing(resolve(folder, manifest.entry), id),
  };
}

function packageFolder(name: string, from: string): string {
  const searched = createRequire(join(resolve(from), 'noop.js')).resolve.paths(name) ?? [];
  const folder = searched
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')));
  if (folder) return folder;
  throw new StartupError(
    `The package "${name}", named in plugins.packages, is not installed. Install it with "npm install ${name}" in ${resolve(from)}, or take it out of plugins.packages.`,
  );
}

function fromPath({ path, enabled, disabled }: Selection, from: string): FoundPlugin[] {
  if (path === '') return [];
  const directory = resolve(from, path);
  if (!existsSync(directory)) {
    throw new StartupError(
      `The directory "${directory}", named by plugins.path (PLUGINS_PATH), does not exist.`,
    );
  }
  return (
    readdirSync(directory)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .map((name) => ({ id: name, folder: join(directory, name), named: enabled.includes(name) }))
      .filter(({ folder }) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      .map((place) => ({
        ...place,
        file: resolve(place.folder, readManifest(place.folder).entry ?? './plugin.js'),
      }))
      // A directory may hold what is no plugin, such as lost+found.
      .filter(({ named, file }) => named || existsSync(file))
      .map(({ id, folder, named, file }) => ({
        id,
        origin: 'folder' as const,
        enabled: named && !disabled.includes(id),
        folder,
        entry: existing(file, id),
      }))
  );
}

function readManifest(folder: string): { entry: string | undefined; id: string | undefined } {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return { entry: undefined, id: undefined };
  try {
    const { vitrine } = JSON.parse(readFileSync(file, 'utf8')) as {
      vitrine?: { plugin?: string; id?: string };
    };
    return { entry: vitrine?.plugin, id: vitrine?.id };
  } catch (error) {
    throw new StartupError(`${file} is not JSON: ${(error as Error).message}`, [], { cause: error });
  }
}

function existing(file: string, id: string): string {
  if (existsSync(file)) return pathToFileURL(file).href;
  throw new StartupError(`The plugin "${id}" has no ${basename(file)} in ${dirname(file)}. Was it built?`);
}

function duplicateIds(found: readonly FoundPlugin[]): string[] {
  const first = new Map<string, FoundPlugin>();
  const faults: string[] = [];
  for (const plugin of found) {
    const other = first.get(plugin.id);
    if (other) faults.push(`Two plugins have the id "${plugin.id}": ${other.entry} and ${plugin.entry}.`);
    first.set(plugin.id, plugin);
  }
  return faults;
}

function unknownIds(found: readonly FoundPlugin[], { disabled, enabled }: Selection): string[] {
  const ids = found.map(({ id }) => id);
  const known = `Known are: ${ids.join(', ')}.`;
  return [
    ...disabled
      .filter((id) => !ids.includes(id))
      .map((id) => `plugins.disabled (PLUGINS_DISABLED) names "${id}", which is not a plugin here. ${known}`),
    ...enabled
      .filter((id) => !ids.includes(id))
      .map((id) => `plugins.enabled (PLUGINS_ENABLED) names "${id}", which is not a plugin here. ${known}`),
  ];
}

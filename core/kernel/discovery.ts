import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StartupError, type Fault } from '../errors/startup-error.ts';
import { meantOr } from '../config/nearest.ts';
import { Faults } from './faults.ts';
import type { FoundPlugin } from './found-plugin.ts';
import type { PluginsSettings } from './settings.ts';

/** `.ts` when running from source, `.js` when running the build. */
const ownExtension = extname(fileURLToPath(import.meta.url));
const builtInDirectory = fileURLToPath(new URL('../../plugins/', import.meta.url));

type Selection = Pick<PluginsSettings, 'disabled' | 'enabled' | 'may_fail' | 'packages' | 'path'>;

/** The plugins that were found, each id once, and the faults of the settings that name plugins. */
export interface Discovery {
  readonly found: readonly FoundPlugin[];
  readonly faults: readonly Fault[];
}

/**
 * Finds built-in plugins, npm packages named in `plugins.packages` and folders under `plugins.path`, without loading
 * any of their code.
 */
export function discover(selection: Selection, from: string): Discovery {
  const faults = new Faults();
  const all = [
    ...builtIn(selection),
    ...selection.packages.flatMap((name) => faults.attempt(() => fromPackage(name, selection, from)) ?? []),
    ...(faults.attempt(() => fromPath(selection, from, faults)) ?? []),
  ];
  const found = all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
  faults.add([...duplicateIds(all), ...unknownIds(found, selection, from), ...found.flatMap(unbuilt)]);
  return { found, faults: faults.all };
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
    entry: pathToFileURL(resolve(folder, manifest.entry)).href,
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

function fromPath({ path, enabled, disabled }: Selection, from: string, faults: Faults): FoundPlugin[] {
  if (path === '') return [];
  const directory = resolve(from, path);
  if (!existsSync(directory)) {
    throw new StartupError(
      `The directory "${directory}", named by plugins.path (PLUGINS_PATH), does not exist.`,
    );
  }
  if (!statSync(directory).isDirectory()) {
    throw new StartupError(
      `"${directory}", named by plugins.path (PLUGINS_PATH), is no directory. Name the one that has the folders of plugins.`,
    );
  }
  return (
    readdirSync(directory)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .map((name) => ({ id: name, folder: join(directory, name), named: enabled.includes(name) }))
      .filter(({ folder }) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      .map((place) => {
        const isWanted = place.named && !disabled.includes(place.id);
        // What is wrong with a folder that is not used must not stop the start.
        const manifest = (isWanted ? faults : new Faults()).attempt(
          () => readManifest(place.folder),
          place.id,
        );
        return { ...place, file: resolve(place.folder, manifest?.entry ?? './plugin.js') };
      })
      // The directory may contain other folders, such as lost+found.
      .filter(({ named, file }) => named || existsSync(file))
      .map(({ id, folder, named, file }) => ({
        id,
        origin: 'folder' as const,
        enabled: named && !disabled.includes(id),
        folder,
        entry: pathToFileURL(file).href,
      }))
  );
}

function readManifest(folder: string): { entry: string | undefined; id: string | undefined } {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return { entry: undefined, id: undefined };
  try {
    const { vitrine } = JSON.parse(readFileSync(file, 'utf8')) as {
      vitrine?: { plugin?: unknown; id?: unknown };
    };
    return { entry: textOf(vitrine?.plugin), id: textOf(vitrine?.id) };
  } catch (error) {
    throw new StartupError(`${file} is not JSON: ${(error as Error).message}`, [], { cause: error });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function unbuilt({ id, enabled, entry }: FoundPlugin): Fault[] {
  const file = fileURLToPath(entry);
  if (!enabled || existsSync(file)) return [];
  return [
    {
      plugin: id,
      message: `The plugin "${id}" has no ${basename(file)} in ${dirname(file)}. Was it built?`,
    },
  ];
}

function duplicateIds(found: readonly FoundPlugin[]): Fault[] {
  const first = new Map<string, FoundPlugin>();
  return found.flatMap((plugin) => {
    const other = first.get(plugin.id);
    first.set(plugin.id, other ?? plugin);
    if (!other) return [];
    return [
      {
        message: `Two plugins have the id "${plugin.id}": ${other.entry} and ${plugin.entry}. Give one of them another id, or take it away.`,
      },
    ];
  });
}

function unknownIds(
  found: readonly FoundPlugin[],
  { disabled, enabled, may_fail, path }: Selection,
  from: string,
): Fault[] {
  const ids = found.map(({ id }) => id);
  const known = `Known are: ${ids.join(', ')}.`;
  const unknown = (setting: string, named: readonly string[], wayOut: (id: string) => string): Fault[] =>
    named
      .filter((id) => !ids.includes(id))
      .map((id) => {
        const end = meantOr(wayOut(id), id, ids);
        return { message: `${setting} names "${id}", which is not a plugin here${end}` };
      });
  return [
    ...unknown('plugins.disabled (PLUGINS_DISABLED)', disabled, () => known),
    ...unknown(
      'plugins.enabled (PLUGINS_ENABLED)',
      enabled,
      (id) => `${howToFind(id, path && resolve(from, path))} ${known}`,
    ),
    ...unknown('plugins.may_fail (PLUGINS_MAY_FAIL)', may_fail, () => known),
  ];
}

/** Says how a plugin from outside is found, for the message about one that was not. `directory` is empty where none is named. */
function howToFind(id: string, directory: string): string {
  if (directory === '')
    return 'Name the folder around its own in plugins.path (PLUGINS_PATH), or its package in plugins.packages.';
  if (basename(directory) === id)
    return `plugins.path (PLUGINS_PATH) names its own folder. Name the one around it: ${dirname(directory)}.`;
  return `${directory}, which plugins.path (PLUGINS_PATH) names, has no folder "${id}", and plugins.packages no package of that name.`;
}

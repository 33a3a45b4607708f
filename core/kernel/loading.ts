import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { meantOr } from '../config/nearest.ts';
import { faultyInstallation, StartupError, type Fault } from '../errors/startup-error.ts';
import { discover } from './discovery.ts';
import { faultLocation } from './fault-location.ts';
import { isFromOutside, type FoundPlugin, type LoadedPlugin } from './found-plugin.ts';
import type { PluginDefinition } from './plugin.ts';

let redirected = false;
const builtIn = new WeakSet<PluginDefinition>();

/** Whether a definition is that of a built-in plugin, from its own file. */
export function isBuiltIn(definition: PluginDefinition): boolean {
  return builtIn.has(definition);
}

/**
 * Lets external plugins import `vitrine`, `vitrine/testing` and `vitrine/contracts/<id>` from any directory, and
 * resolves them to this installation.
 */
function redirectPackageName(): void {
  if (redirected) return;
  register(new URL(`./package-redirect${import.meta.url.slice(-3)}`, import.meta.url), {
    data: { root: new URL('../../', import.meta.url).href, extension: import.meta.url.slice(-3) },
  });
  redirected = true;
}

/** Loads the code of the enabled plugins only. */
export async function load(
  found: readonly FoundPlugin[],
): Promise<{ readonly loaded: readonly LoadedPlugin[]; readonly faults: readonly Fault[] }> {
  const enabled = found.filter((plugin) => plugin.enabled);
  if (enabled.some(isFromOutside)) redirectPackageName();
  const attempts = await Promise.allSettled(enabled.map(loadOne));
  return {
    loaded: attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : [])),
    faults: attempts.flatMap((attempt, index) =>
      attempt.status === 'fulfilled'
        ? []
        : [{ plugin: enabled[index]!.id, message: (attempt.reason as Error).message }],
    ),
  };
}

async function loadOne(found: FoundPlugin): Promise<LoadedPlugin> {
  let module: { default?: unknown };
  try {
    module = (await import(found.entry)) as { default?: unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The plugin "${found.id}" cannot be loaded from ${found.entry}: ${reason}${locationText(error, found)}${commonJsText(found)}`,
      [],
      { cause: error },
    );
  }
  const definition = module.default as PluginDefinition | undefined;
  if (typeof definition?.id !== 'string') {
    throw new StartupError(
      `The plugin "${found.id}" has no definition: ${found.entry} must default-export definePlugin({…}).`,
    );
  }
  if (definition.id !== found.id) {
    throw new StartupError(
      `The plugin in ${found.entry} is named "${definition.id}" but was found as "${found.id}". Give folder, "vitrine".id and definePlugin the same id.`,
    );
  }
  if (found.origin === 'built-in') builtIn.add(definition);
  return { found, definition };
}

function locationText(error: unknown, found: FoundPlugin): string {
  const location = faultLocation(error, [found]);
  if (location) return ` (thrown at ${location.line})`;
  // Node does not report the line of a syntax error.
  return error instanceof SyntaxError ? '. Run "node --check" on its files to see the line.' : '';
}

/** Node's own messages about CommonJS modules differ by version, and some name only a function inside Node. */
function commonJsText({ entry }: FoundPlugin): string {
  const file = fileURLToPath(entry);
  if (!existsSync(file) || !/\bmodule\.exports\b|\brequire\(/.test(readFileSync(file, 'utf8'))) return '';
  return '. It is written in CommonJS, and plugins are ES modules: put "type": "module" into its package.json, and write import and export.';
}

/** The definitions of the built-in plugins, all or those with the given ids; for tests and generated references. Throws `StartupError` for an unknown id. */
export async function builtInPlugins(ids?: readonly string[]): Promise<readonly PluginDefinition[]> {
  const { found } = discover({ disabled: [], enabled: [], may_fail: [], packages: [], path: '' }, '.');
  const known = found.map(({ id }) => id);
  for (const id of ids ?? []) {
    if (known.includes(id)) continue;
    const end = meantOr(`Known are: ${known.join(', ')}.`, id, known);
    throw new StartupError(`There is no built-in plugin "${id}"${end}`);
  }
  const { loaded, faults } = await load(found.filter(({ id }) => ids?.includes(id) ?? true));
  if (faults.length > 0) throw faultyInstallation(faults);
  return loaded.map(({ definition }) => definition);
}

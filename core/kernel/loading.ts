import { register } from 'node:module';
import { StartupError } from '../errors/startup-error.ts';
import { discover } from './discovery.ts';
import { isFromOutside, type FoundPlugin, type LoadedPlugin } from './found-plugin.ts';
import type { PluginDefinition } from './plugin.ts';

let redirected = false;

/**
 * Lets plugins from outside import `vitrine`, `vitrine/testing` and `vitrine/contracts/<id>` wherever they lie, and
 * makes them mean this very installation.
 */
function redirectPackageName(): void {
  if (redirected) return;
  register(new URL(`./package-redirect${import.meta.url.slice(-3)}`, import.meta.url), {
    data: { root: new URL('../../', import.meta.url).href, extension: import.meta.url.slice(-3) },
  });
  redirected = true;
}

/** Loads the code of the enabled plugins, and of no other. Throws `StartupError` that names the plugin. */
export async function load(found: readonly FoundPlugin[]): Promise<readonly LoadedPlugin[]> {
  const enabled = found.filter((plugin) => plugin.enabled);
  if (enabled.some(isFromOutside)) redirectPackageName();
  return Promise.all(enabled.map(loadOne));
}

async function loadOne(found: FoundPlugin): Promise<LoadedPlugin> {
  let module: { default?: unknown };
  try {
    module = (await import(found.entry)) as { default?: unknown };
  } catch (error) {
    throw new StartupError(
      `The plugin "${found.id}" cannot be loaded from ${found.entry}: ${(error as Error).message}`,
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
  return { found, definition };
}

/** The definitions of built-in plugins, all or those with the given ids; for tests and generated references. */
export async function builtInPlugins(ids?: readonly string[]): Promise<readonly PluginDefinition[]> {
  const found = discover({ disabled: [], enabled: [], packages: [], path: '' }, '.');
  const chosen = found.filter(({ id }) => ids?.includes(id) ?? true);
  return (await load(chosen)).map(({ definition }) => definition);
}

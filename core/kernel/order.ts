import { StartupError } from '../errors/startup-error.ts';
import type { LoadedPlugin } from './found-plugin.ts';

/**
 * Orders plugins so that each comes after those it requires or may use; ties by id. Throws `StartupError` with the
 * chain when a required plugin is absent or switched off, and with the circle when plugins require each other.
 */
export function inBootOrder(
  plugins: readonly LoadedPlugin[],
  switchedOff: readonly string[],
): readonly LoadedPlugin[] {
  const byId = new Map(plugins.map((plugin) => [plugin.definition.id, plugin]));
  const faults = plugins.flatMap((plugin) => missing(plugin, byId, switchedOff));
  if (faults.length > 0) throw new StartupError(faults.join('\n'), faults);
  const ordered: LoadedPlugin[] = [];
  const visit = (plugin: LoadedPlugin, chain: readonly string[]): void => {
    const { id, requires = [], optional = [] } = plugin.definition;
    if (chain.includes(id)) {
      const circle = [...chain.slice(chain.indexOf(id)), id].join(' → ');
      throw new StartupError(
        `Plugins need each other in a circle: ${circle}. One of them must take the other under "optional", or give it up.`,
      );
    }
    if (ordered.includes(plugin)) return;
    for (const other of [...requires, ...optional].sort()) {
      const needed = byId.get(other);
      if (needed) visit(needed, [...chain, id]);
    }
    ordered.push(plugin);
  };
  for (const id of [...byId.keys()].sort()) visit(byId.get(id)!, []);
  return ordered;
}

function missing(
  { definition }: LoadedPlugin,
  byId: ReadonlyMap<string, LoadedPlugin>,
  switchedOff: readonly string[],
): string[] {
  return (definition.requires ?? [])
    .filter((id) => !byId.has(id))
    .map((id) => {
      const state = switchedOff.includes(id) ? 'is switched off' : 'is not installed';
      const dependents = dependentsOf(definition.id, byId);
      const chain = [...dependents, definition.id, id].join(' → ');
      const together = [definition.id, ...dependents].join(', ');
      return (
        `The plugin "${definition.id}" requires "${id}", which ${state} (${chain}). ` +
        `Switch "${id}" on, or switch ${together} off as well (plugins.disabled, PLUGINS_DISABLED).`
      );
    });
}

/** Those that need the plugin, directly or through others. */
function dependentsOf(id: string, byId: ReadonlyMap<string, LoadedPlugin>): string[] {
  const dependents = new Set<string>();
  const grow = (of: string): void => {
    for (const { definition } of byId.values()) {
      if (definition.requires?.includes(of) && !dependents.has(definition.id)) {
        dependents.add(definition.id);
        grow(definition.id);
      }
    }
  };
  grow(id);
  return [...dependents].reverse();
}

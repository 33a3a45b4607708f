import { StartupError } from '../errors/startup-error.ts';
import type { LoadedPlugin } from './found-plugin.ts';

/**
 * Orders plugins so that each follows the plugins that it requires or may use; ties by id. Throws `StartupError` that
 * shows the cycle when plugins depend on each other.
 */
export function inBootOrder(plugins: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const byId = new Map(plugins.map((plugin) => [plugin.definition.id, plugin]));
  const ordered: LoadedPlugin[] = [];
  const visit = (plugin: LoadedPlugin, chain: readonly string[]): void => {
    const { id, requires = [], optional = [] } = plugin.definition;
    if (chain.includes(id)) {
      const circle = [...chain.slice(chain.indexOf(id)), id].join(' → ');
      throw new StartupError(
        `Plugins depend on each other in a circle: ${circle}. Remove one of these dependencies from "requires" or "optional".`,
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

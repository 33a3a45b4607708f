import type { PluginDefinition } from '../../kernel/plugin.ts';

/** What a plugin requires, directly or through others, and a sentence for each that is not installed. */
export function neededBy(
  plugin: PluginDefinition,
  installed: readonly PluginDefinition[],
): { readonly needed: readonly PluginDefinition[]; readonly missing: readonly string[] } {
  const needed = new Map<string, PluginDefinition>();
  const missing: string[] = [];
  const add = ({ id, requires = [] }: PluginDefinition): void => {
    for (const name of requires) {
      if (needed.has(name)) continue;
      const found = installed.find((other) => other.id === name);
      if (!found) {
        missing.push(`Plugin "${id}" requires "${name}", which is not installed.`);
        continue;
      }
      needed.set(name, found);
      add(found);
    }
  };
  add(plugin);
  return { needed: [...needed.values()], missing };
}

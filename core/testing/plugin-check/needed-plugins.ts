import type { PluginDefinition } from '../../kernel/plugin.ts';

/** What a plugin requires of the installed ones, directly or through others. */
export function neededBy(
  plugin: PluginDefinition,
  installed: readonly PluginDefinition[],
): readonly PluginDefinition[] {
  const needed = new Set([plugin]);
  // The loop also visits what it adds.
  for (const { requires = [] } of needed) {
    for (const other of installed) if (requires.includes(other.id)) needed.add(other);
  }
  needed.delete(plugin);
  return [...needed];
}

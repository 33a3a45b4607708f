import type { InstalledPlugin } from './installation.ts';
import type { PluginDefinition } from './plugin.ts';

/** A plugin that was found, before any of its code is loaded. */
export interface FoundPlugin {
  readonly id: string;
  readonly origin: InstalledPlugin['origin'];
  readonly enabled: boolean;
  /** The directory of its code, or a symbolic link to it. */
  readonly folder: string;
  /** The file whose default export is the definition, as a URL. */
  readonly entry: string;
}

/** Whether an operator installed the plugin, as a package or a folder. */
export function isFromOutside({ origin }: FoundPlugin): boolean {
  return origin === 'package' || origin === 'folder';
}

/** An enabled plugin with its code loaded. */
export interface LoadedPlugin {
  readonly found: FoundPlugin;
  readonly definition: PluginDefinition;
}

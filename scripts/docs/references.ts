import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import { renderDefaults, renderReference } from '../../core/config/render.ts';
import { coreSettings } from '../../core/kernel/core-settings.ts';
import { builtInPlugins } from '../../core/kernel/loading.ts';
import { packageRoot } from '../../core/support/package-root.ts';
import { renderErrors } from './errors.ts';
import { renderEvents } from './events.ts';

/** A page that is made from the code. */
export interface Reference {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every generated page, as it must be for the code as it is. */
export async function references(): Promise<readonly Reference[]> {
  const plugins = await builtInPlugins();
  const sections = [...coreSettings, ...plugins.flatMap(({ config }: PluginDefinition) => config ?? [])];
  return [
    { path: 'config/default.yaml', text: renderDefaults(sections) },
    { path: 'docs/settings.md', text: renderReference(sections) },
    { path: 'docs/errors.md', text: renderErrors(plugins) },
    { path: 'docs/events.md', text: renderEvents(plugins) },
  ];
}

/** Where a generated page belongs. */
export function placeOf({ path }: Reference): string {
  return join(packageRoot, path);
}

/** Whether the page on disk is not what the code says. */
export function isStale(reference: Reference): boolean {
  try {
    return readFileSync(placeOf(reference), 'utf8') !== reference.text;
  } catch {
    return true;
  }
}

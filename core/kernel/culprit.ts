import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoundPlugin } from './found-plugin.ts';

/**
 * The id of the plugin in whose code an error arose: the one that the innermost frame of its trace lies in, among all
 * frames of plugins. `undefined` when the trace leads through none.
 */
export function culpritOf(error: unknown, found: readonly FoundPlugin[]): string | undefined {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const places = found.filter(({ enabled, folder }) => enabled && folder !== '').map(placeOf);
  for (const frame of frames) {
    const place = places.find(({ url }) => frame.includes(url));
    if (place) return place.id;
  }
  return undefined;
}

/** Traces name modules as they really lie, not by the links that lead there. */
function placeOf({ id, folder }: FoundPlugin): { readonly id: string; readonly url: string } {
  return { id, url: pathToFileURL(join(realpathSync(folder), '/')).href };
}

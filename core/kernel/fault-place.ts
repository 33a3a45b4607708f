import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartupError } from '../errors/startup-error.ts';
import type { FoundPlugin } from './found-plugin.ts';

/** Where in the code of plugins an error arose. */
export interface FaultPlace {
  readonly plugin: string;
  /** `/plugins/greetings/plugin.js:12:9`. */
  readonly line: string;
}

/** The innermost frame of an error's trace that lies in the code of a plugin; `undefined` when none does. */
export function faultPlace(error: unknown, found: readonly FoundPlugin[]): FaultPlace | undefined {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const places = found.filter(({ enabled, folder }) => enabled && folder !== '').map(rootOf);
  for (const frame of frames) {
    for (const { id, root } of places) {
      const line = lineIn(frame, root);
      if (line !== undefined) return { plugin: id, line };
    }
  }
  return undefined;
}

/** The same failure of a start, with the line of the plugin that threw unless that was a sentence for the operator. */
export function withPlace(error: unknown, found: readonly FoundPlugin[]): unknown {
  if (!(error instanceof StartupError) || error.cause instanceof StartupError) return error;
  const blamed = found.filter(({ id }) => error.plugins.includes(id));
  const place = faultPlace(error.cause, blamed);
  if (!place) return error;
  const { findings, plugins, cause } = error;
  return new StartupError(`${error.message} (thrown at ${place.line})`, findings, { cause, plugins });
}

/** Traces name modules as they really lie, not by the links that lead there. */
function rootOf({ id, folder }: FoundPlugin): { readonly id: string; readonly root: string } {
  return { id, root: join(realpathSync(folder), sep) };
}

/** What follows the folder in a frame, up to line and column; a loader may add a query to the name of the file. */
function lineIn(frame: string, root: string): string | undefined {
  const begin = [pathToFileURL(root).href, root].find((path) => frame.includes(path));
  if (begin === undefined) return undefined;
  const rest = frame.slice(frame.indexOf(begin) + begin.length);
  const [, file, place] = /^([^)?]*?)(?:\?[^)]*?)?(:\d+(?::\d+)?)/.exec(rest) ?? [];
  return file === undefined ? undefined : `${root}${file}${place}`;
}

import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartupError } from '../errors/startup-error.ts';
import type { FoundPlugin } from './found-plugin.ts';

/** The position in a plugin's code where an error arose. */
export interface FaultLocation {
  readonly plugin: string;
  /** `/plugins/greetings/plugin.js:12:9`. */
  readonly line: string;
}

/** The innermost stack frame of an error that lies in the code of a plugin; `undefined` when none does. */
export function faultLocation(error: unknown, found: readonly FoundPlugin[]): FaultLocation | undefined {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const roots = found.filter(({ enabled, folder }) => enabled && folder !== '').map(rootOf);
  for (const frame of frames) {
    for (const { id, root } of roots) {
      const line = lineIn(frame, root);
      if (line !== undefined) return { plugin: id, line };
    }
  }
  return undefined;
}

/** The same error, extended by the line of the plugin that threw it, unless it is already a message for the operator. */
export function withLocation(error: unknown, found: readonly FoundPlugin[]): unknown {
  if (!(error instanceof StartupError) || error.cause instanceof StartupError) return error;
  const atFault = found.filter(({ id }) => error.plugins.includes(id));
  const location = faultLocation(error.cause, atFault);
  if (!location) return error;
  const { findings, plugins, cause } = error;
  return new StartupError(`${error.message} (thrown at ${location.line})`, findings, { cause, plugins });
}

/** Stack traces contain real paths, with links resolved. */
function rootOf({ id, folder }: FoundPlugin): { readonly id: string; readonly root: string } {
  return { id, root: join(realpathSync(folder), sep) };
}

/** The part of a frame after the folder, up to line and column; a loader may add a query to the file name. */
function lineIn(frame: string, root: string): string | undefined {
  const begin = [pathToFileURL(root).href, root].find((path) => frame.includes(path));
  if (begin === undefined) return undefined;
  const rest = frame.slice(frame.indexOf(begin) + begin.length);
  const [, file, location] = /^([^)?]*?)(?:\?[^)]*?)?(:\d+(?::\d+)?)/.exec(rest) ?? [];
  return file === undefined ? undefined : `${root}${file}${location}`;
}

import { StartupError } from '../errors/startup-error.ts';
import type { ExtensionPoint } from './token.ts';

/** Throws for an entry that only the compiler would refuse, and which otherwise would break requests. */
export function checkEntry(value: unknown, point: ExtensionPoint<unknown>): void {
  if (value === undefined || value === null) throw new Error('"create" answered nothing. Return the entry.');
  for (const method of point.methods ?? []) {
    const name = method.replace('?', '');
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof found === 'function' || (found === undefined && name !== method)) continue;
    throw new Error(
      `"${name}" of the entry must be a function, but is ${found === null ? 'null' : typeof found}.`,
    );
  }
  const fault = point.faultOf?.(value);
  if (fault !== undefined) throw new Error(`The entry ${fault}.`);
}

/** Throws `StartupError` when two entries have the same key; the later one is at fault. */
export function refuseSharedKeys(
  point: ExtensionPoint<unknown>,
  entries: readonly unknown[],
  filled: readonly { readonly plugin: string }[],
): void {
  const owners = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const { plugin } = filled[index]!;
    for (const key of point.keysOf?.(entry) ?? []) {
      const first = owners.get(key);
      if (first !== undefined) throw sharedKey({ plugin, first, key, point: point.id });
      owners.set(key, plugin);
    }
  }
}

function sharedKey(of: Readonly<Record<'plugin' | 'first' | 'key' | 'point', string>>): StartupError {
  const { plugin, first, key, point } = of;
  const why =
    first === plugin
      ? ' twice. Leave one out.'
      : `, which "${first}" contributes already. Rename it, or switch one of the plugins off.`;
  return new StartupError(`Plugin "${plugin}" contributes "${key}" to "${point}"${why}`, [], {
    plugins: [plugin],
  });
}

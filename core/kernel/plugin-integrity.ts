import type { Fault } from '../errors/startup-error.ts';
import { Faults } from './faults.ts';
import { isFromOutside, type FoundPlugin } from './found-plugin.ts';
import { hashOf } from './plugin-hash.ts';

/**
 * Compares the code of every enabled external plugin with the hashes in `plugins.integrity`, before any of it is loaded.
 * Returns every difference and how to correct it. Without an entry nothing is compared.
 */
export function integrityFaults(
  found: readonly FoundPlugin[],
  integrity: readonly string[],
): readonly Fault[] {
  if (integrity.length === 0) return [];
  const entries = integrity.map(entryOf);
  const approved = new Map(entries);
  const faults = new Faults();
  faults.add(
    entryFaults(
      entries.map(([id]) => id),
      found,
    ).map((message) => ({ message })),
  );
  for (const plugin of found.filter((one) => one.enabled && isFromOutside(one))) {
    const differences = faults.attempt(() => codeFaults(plugin, approved.get(plugin.id)), plugin.id) ?? [];
    faults.add(differences.map((message) => ({ message, plugin: plugin.id })));
  }
  return faults.all;
}

/** The entry of `plugins.integrity` that approves the current code of a plugin: `ID=sha256-BASE64`. */
export function approvalOf(plugin: FoundPlugin): string {
  return `${plugin.id}=${hashOf(plugin)}`;
}

/** Why the code of an id cannot be approved; `undefined` for an external plugin. */
export function whyNotApproved(id: string, found: readonly FoundPlugin[]): string | undefined {
  const plugin = found.find((one) => one.id === id);
  if (plugin && isFromOutside(plugin)) return undefined;
  if (plugin) return `"${id}" is a built-in plugin; only the code of plugins from outside is approved.`;
  const outside = found.filter(isFromOutside).map((one) => one.id);
  return `"${id}" is not a plugin here. From outside are: ${outside.join(', ') || 'none'}.`;
}

function entryOf(entry: string): readonly [id: string, hash: string] {
  const end = entry.indexOf('=');
  return [entry.slice(0, end), entry.slice(end + 1)];
}

function entryFaults(ids: readonly string[], found: readonly FoundPlugin[]): string[] {
  const setting = 'plugins.integrity (PLUGINS_INTEGRITY)';
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...new Set(ids)]
      .map((id) => whyNotApproved(id, found))
      .filter((why) => why !== undefined)
      .map((why) => `${setting}: ${why}`),
    ...[...twice].map((id) => `${setting} names "${id}" more than once. Keep the entry that you approved.`),
  ];
}

function codeFaults(plugin: FoundPlugin, expected: string | undefined): string[] {
  const { id, folder } = plugin;
  const hash = hashOf(plugin);
  if (expected === hash) return [];
  if (expected === undefined) {
    return [
      `The plugin "${id}" in ${folder} is switched on, but plugins.integrity (PLUGINS_INTEGRITY), which names others, does not name it. Review its code and add ${id}=${hash}, or switch it off.`,
    ];
  }
  return [
    `The code of the plugin "${id}" in ${folder} is not the approved one: its hash should be ${expected} and is ${hash}. Put the approved version back, or review this one and put ${id}=${hash} into plugins.integrity (PLUGINS_INTEGRITY).`,
  ];
}

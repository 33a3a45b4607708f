import { createHash } from 'node:crypto';
import type { Engine } from '../persistence/database.ts';
import { tablePrefix } from '../persistence/migrations/ledger.ts';
import { engines } from './engines.ts';
import { inspectSteps, type PluginTables } from './inspected-steps.ts';

/** By plugin and step: a hash of the statements that the step runs on each engine. */
export type MigrationLock = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<Engine, string>>>>>
>;

/**
 * Runs the steps of plugins on an empty database and returns, one sentence each, which of them change tables that do not
 * belong to their plugin: the name does not begin with its id, or belongs to another plugin of the list. Throws what a step
 * throws.
 */
export async function tableFaults(engine: Engine, plugins: readonly PluginTables[]): Promise<string[]> {
  const steps = await inspectSteps(engine, plugins);
  const ids = plugins.map(({ id }) => id);
  return steps.flatMap(({ plugin, step, tables }) => {
    const foreign = tables.filter((table) => !isOwn(table, plugin, ids));
    if (foreign.length === 0) return [];
    const names = [...new Set(foreign)].sort().join(', ');
    return [
      `Plugin "${plugin}": ${step} creates, changes, drops or writes into ${names}, but its tables begin with "${tablePrefix(plugin)}".`,
    ];
  });
}

/**
 * A lock of the steps of plugins. It depends on the statements that they run on both engines, not on their source code.
 * Store it in a file when you release, and compare it with `lockFaults` in a test.
 */
export async function migrationLock(plugins: readonly PluginTables[]): Promise<MigrationLock> {
  const lock: Record<string, Record<string, Record<string, string>>> = {};
  for (const engine of engines) {
    for (const { plugin, step, statements } of await inspectSteps(engine, plugins)) {
      ((lock[plugin] ??= {})[step] ??= {})[engine] = hashOf(statements);
    }
  }
  return lock as MigrationLock;
}

/** The steps that were edited or removed since they were locked, and those that are not locked yet, one sentence each. */
export function lockFaults(locked: MigrationLock, now: MigrationLock): string[] {
  const faults: string[] = [];
  for (const [plugin, steps] of Object.entries(locked)) {
    for (const [step, hashes] of Object.entries(steps)) {
      const hashesNow = now[plugin]?.[step];
      if (!hashesNow) faults.push(`Plugin "${plugin}": ${step} was removed. Put it back.`);
      else if (engines.some((engine) => hashes[engine] !== hashesNow[engine]))
        faults.push(`Plugin "${plugin}": ${step} was edited. Put it back as it was, and add a new step.`);
    }
  }
  for (const [plugin, steps] of Object.entries(now)) {
    for (const step of Object.keys(steps)) {
      if (!locked[plugin]?.[step]) faults.push(`Plugin "${plugin}": ${step} is not locked yet.`);
    }
  }
  return faults;
}

/** `call_notes_entries` does not belong to the plugin `call` if there is a plugin `call-notes`. */
function isOwn(table: string, plugin: string, ids: readonly string[]): boolean {
  const prefix = tablePrefix(plugin);
  const longer = ids.map(tablePrefix).filter((other) => other !== prefix && other.startsWith(prefix));
  return table.startsWith(prefix) && !longer.some((other) => table.startsWith(other));
}

/** Text that depends on the day of the run: ids, and months in the names of partitions. */
const DATED = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|_\d{4}_\d{2}(?!\d)/g;

function hashOf(statements: readonly string[]): string {
  const text = statements.map((statement) => statement.replace(DATED, '?').replaceAll(/\s+/g, ' ').trim());
  return createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 32);
}

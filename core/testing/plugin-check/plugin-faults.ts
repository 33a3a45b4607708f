import { documentGaps } from '../../http/openapi/gaps.ts';
import { builtInPlugins } from '../../kernel/loading.ts';
import type { PluginDefinition } from '../../kernel/plugin.ts';
import type { Engine } from '../../persistence/database.ts';
import { tableFaults } from '../migration-kit.ts';
import { makeScratch } from '../scratch.ts';
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../test-kernel.ts';
import { accessFaults } from './route-checks.ts';
import { neededBy } from './needed-plugins.ts';

/** A plugin, and what it is checked beside. */
export interface PluginCheck {
  readonly plugin: PluginDefinition;
  readonly engine: Engine;
  /** Plugins that it may require, and beside which it must fit; by default the built-in ones. */
  readonly installed?: readonly PluginDefinition[];
  /** Values of settings that it needs, by section and key. */
  readonly settings?: TestKernelOptions['settings'];
}

type Boot = (plugins: readonly PluginDefinition[]) => Promise<TestKernel>;

/**
 * The conformance kit: what is wrong with a plugin on an engine, one sentence each. It reads the descriptions and examples
 * of its routes; runs its migrations; boots it with nothing but what it requires, asks its routes without credentials,
 * runs its jobs and stops it; and boots it again on the same database beside all installed plugins.
 */
export async function pluginFaults(check: PluginCheck): Promise<readonly string[]> {
  const { plugin, engine, settings = {} } = check;
  const installed = (check.installed ?? (await builtInPlugins())).filter(({ id }) => id !== plugin.id);
  const needed = neededBy(plugin, installed);
  const scratch = await makeScratch(engine);
  const boot: Boot = (plugins) => startTestKernel({ engine, plugins, settings, scratch });
  try {
    const alone = await attempt('cannot be started with what it requires', plugin, async () => [
      ...(await tableFaults(engine, [...needed, plugin])),
      ...(await faultsAlone(plugin, needed, boot)),
    ]);
    const faults = [...documentGaps(plugin), ...alone];
    if (alone.length > 0) return faults;
    const beside = await attempt('does not fit beside the installed plugins', plugin, async () => {
      await (await boot([...installed, plugin])).stop();
      return [];
    });
    return [...faults, ...beside];
  } finally {
    await scratch.remove();
  }
}

async function attempt(
  what: string,
  { id }: PluginDefinition,
  work: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    return [`Plugin "${id}" ${what}: ${messageOf(error)}`];
  }
}

/** Runs it with what it requires: its routes, its jobs, its stop. */
async function faultsAlone(
  plugin: PluginDefinition,
  needed: readonly PluginDefinition[],
  boot: Boot,
): Promise<readonly string[]> {
  const kernel = await boot([...needed, plugin]);
  try {
    const faults = [...(await accessFaults(kernel, plugin))];
    for (const { name } of plugin.jobs ?? []) faults.push(...(await jobFaults(kernel, plugin.id, name)));
    return faults;
  } finally {
    await kernel.stop();
  }
}

async function jobFaults(kernel: TestKernel, plugin: string, name: string): Promise<readonly string[]> {
  try {
    await kernel.runJob(`${plugin}:${name}`);
    return [];
  } catch (error) {
    return [`Plugin "${plugin}": its job "${name}" fails on an empty database: ${messageOf(error)}`];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { documentGaps } from '../../http/openapi/gaps.ts';
import { builtInPlugins } from '../../kernel/loading.ts';
import type { PluginDefinition } from '../../kernel/plugin.ts';
import type { Engine } from '../../persistence/database.ts';
import { withDeadline } from '../../support/deadline.ts';
import { tableFaults } from '../migration-kit.ts';
import { makeScratch, type Scratch } from '../scratch.ts';
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../test-kernel.ts';
import { accessFaults, routesLeft } from './route-checks.ts';
import { leftRunning } from './left-running.ts';
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

const LONGEST_JOB_MS = 30_000;

type Boot = (plugins: readonly PluginDefinition[], scratch?: Scratch) => Promise<TestKernel>;

/**
 * The conformance kit: what is wrong with a plugin on an engine, one sentence each. It reads the descriptions and examples
 * of its routes; runs its migrations; boots it with nothing but what it requires, asks its routes without credentials,
 * runs its jobs and stops it; boots it beside all installed plugins; switches it off and on again on the same database.
 */
export async function pluginFaults(check: PluginCheck): Promise<readonly string[]> {
  const { plugin, engine, settings = {} } = check;
  const installed = (check.installed ?? (await builtInPlugins())).filter(({ id }) => id !== plugin.id);
  const { needed, missing } = neededBy(plugin, installed);
  if (missing.length > 0) return missing;
  const boot: Boot = (plugins, scratch) => {
    const given = plugins.includes(plugin) ? settings : without(settings, plugin.config?.section);
    return startTestKernel({ engine, plugins, settings: given, ...(scratch && { scratch }) });
  };
  const faults = [...documentGaps(plugin)];
  const scratch = await makeScratch(engine);
  try {
    faults.push(
      ...(await attempt('cannot be started with what it requires', plugin, async () => [
        ...(await tableFaults(engine, [...needed, plugin])),
        ...(await faultsAlone(plugin, needed, (plugins) => boot(plugins, scratch))),
        ...(await faultsWhenOff(plugin, needed, (plugins) => boot(plugins, scratch))),
      ])),
    );
    // With nothing installed beside what it requires, it has been booted so already.
    if (installed.length > needed.length) {
      faults.push(
        ...(await attempt('does not fit beside the installed plugins', plugin, async () => {
          await (await boot([...installed, plugin])).stop();
          return [];
        })),
      );
    }
  } finally {
    await scratch.remove();
  }
  return faults;
}

type Values = NonNullable<PluginCheck['settings']>;

/** A section of a plugin that is switched off would be a fault of the settings. */
function without(settings: Values, section: string | undefined): Values {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== section));
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
  const faults: string[] = [];
  const left = await leftRunning(async () => {
    const kernel = await boot([...needed, plugin]);
    try {
      faults.push(...(await accessFaults(kernel, plugin)));
      for (const { name } of plugin.jobs ?? []) faults.push(...(await jobFaults(kernel, plugin.id, name)));
    } finally {
      await kernel.stop();
    }
  });
  return left.length === 0
    ? faults
    : [
        ...faults,
        `Plugin "${plugin.id}" leaves ${left.join(' and ')} after its stop, so that the process stays alive. End it in "stop".`,
      ];
}

async function jobFaults(kernel: TestKernel, plugin: string, name: string): Promise<readonly string[]> {
  try {
    return await withDeadline(
      LONGEST_JOB_MS,
      kernel.runJob(`${plugin}:${name}`).then(() => []),
      () => [
        `Plugin "${plugin}": its job "${name}" does not end within ${LONGEST_JOB_MS / 1000} s on an empty database.`,
      ],
    );
  } catch (error) {
    return [`Plugin "${plugin}": its job "${name}" fails on an empty database: ${messageOf(error)}`];
  }
}

/** Switches it off, where nothing of it may be left, and on again, where its tables are as it left them. */
async function faultsWhenOff(
  plugin: PluginDefinition,
  needed: readonly PluginDefinition[],
  boot: Boot,
): Promise<readonly string[]> {
  const without = await boot(needed);
  const faults = await routesLeft(without, plugin).finally(() => without.stop());
  await (await boot([...needed, plugin])).stop();
  return faults;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { Wiring } from '../di/container.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Clock } from '../support/clock.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import type { KernelJobs } from './jobs/create-jobs.ts';
import { timed } from './phases.ts';
import type { LifecycleStep } from './plugin.ts';
import type { PluginsSettings } from './settings.ts';

/** What starting and stopping plugins needs. */
export interface Lifecycle {
  readonly wiring: Wiring;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: PluginsSettings;
  readonly jobs: KernelJobs;
}

/** Starts plugins in order and adds each to `running`, including one that fails. Throws `StartupError` for that. */
export async function startPlugins(
  plugins: readonly LoadedPlugin[],
  around: Lifecycle,
  running: LoadedPlugin[],
): Promise<void> {
  for (const plugin of plugins) {
    const { id, start } = plugin.definition;
    running.push(plugin);
    if (!start) continue;
    try {
      const seconds = around.settings.start_timeout_s;
      const late = (): never => {
        throw new StartupError(`did not start within ${seconds} s (plugins.start_timeout_s).`);
      };
      await timed(around, { phase: 'start', plugin: id }, 'plugin started', () =>
        withDeadline(seconds * 1000, taken(start, id, around), late),
      );
    } catch (error) {
      throw new StartupError(
        `The plugin "${id}" could not start: ${error instanceof Error ? error.message : String(error)}`,
        [],
        {
          cause: error,
          plugins: [id],
        },
      );
    }
  }
}

/** Stops plugins in reverse order, each with a deadline; resolves with whether all of them stopped cleanly. */
export async function stopPlugins(plugins: readonly LoadedPlugin[], around: Lifecycle): Promise<boolean> {
  let clean = true;
  for (const { definition } of [...plugins].reverse()) {
    const { id, stop } = definition;
    if (!stop) continue;
    try {
      const seconds = around.settings.stop_timeout_s;
      const late = (): never => {
        throw new StartupError(`did not stop within ${seconds} s (plugins.stop_timeout_s)`);
      };
      await timed(around, { phase: 'stop', plugin: id }, 'plugin stopped', () =>
        withDeadline(seconds * 1000, taken(stop, id, around), late),
      );
    } catch (error) {
      clean = false;
      around.logger.error({ plugin: id, err: error }, 'the plugin did not stop cleanly');
    }
  }
  return clean;
}

async function taken(step: LifecycleStep, plugin: string, { wiring }: Lifecycle): Promise<void> {
  await step.run(wiring.resolve(plugin, step.deps) as never);
}

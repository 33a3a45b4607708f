import type { Wiring } from '../di/container.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Clock } from '../support/clock.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import type { KernelJobs } from './jobs/create-jobs.ts';
import { timed } from './phases.ts';
import type { LifecycleStep } from './plugin.ts';

/** How long plugins may take, in milliseconds. */
export interface PluginDeadlines {
  /** For the start of one plugin. */
  readonly startMs: number;
  /** For the stop of one plugin, and of all jobs and listeners together. */
  readonly stopMs: number;
}

/**
 * A start connects and reads; longer work is done in the background, so that the service becomes ready. A plugin that hangs while
 * it stops takes no more time than this from the others.
 */
export const PLUGIN_DEADLINES: PluginDeadlines = { startMs: 30_000, stopMs: 10_000 };

/** What starting and stopping plugins needs. */
export interface Lifecycle {
  readonly wiring: Wiring;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deadlines: PluginDeadlines;
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
      const { startMs } = around.deadlines;
      const late = (): never => {
        throw new StartupError(
          `did not start within ${startMs / 1000} s. Do longer work in the background after its start.`,
        );
      };
      await timed(around, { phase: 'start', plugin: id }, 'plugin started', () =>
        withDeadline(startMs, takeStep(start, id, around), late),
      );
    } catch (error) {
      throw new StartupError(
        `The plugin "${id}" could not start: ${error instanceof Error ? error.message : String(error)}`,
        [],
        { cause: error, plugins: [id] },
      );
    }
  }
}

/** Does what a plugin declared for its start or stop. */
export async function takeStep(step: LifecycleStep, plugin: string, { wiring }: Lifecycle): Promise<void> {
  await step.run(wiring.resolve(plugin, step.deps) as never);
}

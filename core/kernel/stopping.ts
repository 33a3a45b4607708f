import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServer } from '../http/server.ts';
import type { ServerOptions } from '../http/server-settings.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { CoreServices } from './core-services.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { stopPlugins, type Lifecycle } from './lifecycle.ts';
import type { Plan } from './plan.ts';

/** Once everything has stopped, connections close within milliseconds unless their peer hangs. */
const CLOSE_MS = 5_000;

/** Keeps serving until a load balancer has had time to notice that this instance is not ready. */
export async function drain(
  server: HttpServer,
  { drain_delay_ms, shutdown_ms }: ServerOptions,
): Promise<void> {
  if (drain_delay_ms > 0) await pause(drain_delay_ms);
  await server.close(shutdown_ms);
}

/** Stops jobs, listeners, plugins and core services, each with a deadline; resolves with whether all stopped cleanly. */
export async function stopEverything(plan: Plan, core: CoreServices, lifecycle: Lifecycle): Promise<boolean> {
  const { logger } = lifecycle;
  const stopped = await stopRunning(plan.plugins, core, lifecycle);
  const closed = await closeCore(core, logger);
  const clean = stopped && closed;
  logger.info({ clean }, 'stopped');
  return clean;
}

/** Stops jobs, listeners and the running plugins; resolves with whether all stopped cleanly. */
export async function stopRunning(
  running: readonly LoadedPlugin[],
  core: CoreServices,
  lifecycle: Lifecycle,
): Promise<boolean> {
  const { logger, deadlines, jobs } = lifecycle;
  const deadlineMs = deadlines.stopMs;
  const late = (): never => {
    throw new Error(`Jobs did not end within ${deadlineMs / 1000} s.`);
  };
  // Jobs and listeners stop before the plugins that they use.
  const jobsStopped = await ended('jobs', withDeadline(deadlineMs, jobs.stop(), late), logger);
  const listenersStopped = await ended('listeners', core.events.close(deadlineMs), logger);
  const pluginsStopped = await stopPlugins(running, lifecycle);
  return jobsStopped && listenersStopped && pluginsStopped;
}

/** Closes what the kernel opened, with a deadline; resolves with whether it was closed. */
export function closeCore(core: CoreServices, logger: Logger): Promise<boolean> {
  const late = (): never => {
    throw new Error(`They were not closed within ${CLOSE_MS / 1000} s.`);
  };
  return ended('core services', withDeadline(CLOSE_MS, core.close(), late), logger);
}

/** Resolves with whether a part stopped cleanly; a failure is logged, and the stop continues. */
async function ended(part: string, work: Promise<void>, logger: Logger): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    logger.error({ part, err: error }, 'a part of the service did not stop cleanly');
    return false;
  }
}

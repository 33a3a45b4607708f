import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServer } from '../http/server.ts';
import type { ServerOptions } from '../http/server-settings.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { CoreServices } from './core-services.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { stopPlugins, type Lifecycle } from './lifecycle.ts';
import type { Plan } from './plan.ts';

/** Connections of a service in which everything has stopped close in milliseconds, unless their other side hangs. */
const CLOSE_MS = 5_000;

/** A load balancer needs a moment to see that this instance is not ready; what it sends until then is served. */
export async function leave(
  server: HttpServer,
  { drain_delay_ms, shutdown_ms }: ServerOptions,
): Promise<void> {
  if (drain_delay_ms > 0) await pause(drain_delay_ms);
  await server.close(shutdown_ms);
}

/** Stops jobs, listeners, plugins and core services, each with a deadline; tells whether all of them ended as they should. */
export async function stopEverything(plan: Plan, core: CoreServices, lifecycle: Lifecycle): Promise<boolean> {
  const { logger } = lifecycle;
  const stopped = await stopRunning(plan.plugins, core, lifecycle);
  const closed = await closeCore(core, logger);
  const clean = stopped && closed;
  logger.info({ clean }, 'stopped');
  return clean;
}

/** Stops jobs, listeners and the plugins that run; tells whether all of them ended as they should. */
export async function stopRunning(
  running: readonly LoadedPlugin[],
  core: CoreServices,
  lifecycle: Lifecycle,
): Promise<boolean> {
  const { logger, settings, jobs } = lifecycle;
  const deadlineMs = settings.stop_timeout_s * 1000;
  const late = (): never => {
    throw new Error(`Jobs did not end within ${settings.stop_timeout_s} s.`);
  };
  // Both while what they use is still there.
  const rested = await ended('jobs', withDeadline(deadlineMs, jobs.stop(), late), logger);
  const heard = await ended('listeners', core.events.close(deadlineMs), logger);
  const stopped = await stopPlugins(running, lifecycle);
  return rested && heard && stopped;
}

/** Closes what the kernel opened, with a deadline; tells whether it was closed. */
export function closeCore(core: CoreServices, logger: Logger): Promise<boolean> {
  const late = (): never => {
    throw new Error(`They were not closed within ${CLOSE_MS / 1000} s.`);
  };
  return ended('core services', withDeadline(CLOSE_MS, core.close(), late), logger);
}

/** Whether a part of the stop went well; what did not is logged, and the stop goes on. */
async function ended(part: string, work: Promise<void>, logger: Logger): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    logger.error({ part, err: error }, 'a part of the service did not stop cleanly');
    return false;
  }
}

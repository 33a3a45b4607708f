import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServer } from '../http/server.ts';
import type { ServerOptions } from '../http/server-settings.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { CoreServices } from './core-services.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { takeStep, type Lifecycle } from './lifecycle.ts';
import { timed } from './phases.ts';
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

/** Stops jobs, listeners and, in reverse order, the running plugins; resolves with whether all stopped cleanly. */
export async function stopRunning(
  running: readonly LoadedPlugin[],
  core: CoreServices,
  lifecycle: Lifecycle,
): Promise<boolean> {
  const { logger, jobs } = lifecycle;
  const { stopMs } = lifecycle.deadlines;
  // Jobs and listeners stop before the plugins that they use.
  const clean = [
    await ended({ part: 'jobs' }, within(stopMs, jobs.stop()), logger),
    await ended({ part: 'listeners' }, core.events.close(stopMs), logger),
  ];
  for (const { definition } of running.toReversed()) {
    const { id, stop } = definition;
    if (!stop) continue;
    const stopped = timed(lifecycle, { phase: 'stop', plugin: id }, 'plugin stopped', () =>
      within(stopMs, takeStep(stop, id, lifecycle)),
    );
    clean.push(await ended({ plugin: id }, stopped, logger));
  }
  return clean.every(Boolean);
}

/** Closes what the kernel opened, with a deadline; resolves with whether it was closed. */
export function closeCore(core: CoreServices, logger: Logger): Promise<boolean> {
  return ended({ part: 'core services' }, within(CLOSE_MS, core.close()), logger);
}

function within(milliseconds: number, work: Promise<void>): Promise<void> {
  return withDeadline(milliseconds, work, () => {
    throw new Error(`The stop did not end within ${milliseconds / 1000} s.`);
  });
}

/** Resolves with whether a part stopped cleanly; a failure is logged, and the stop continues. */
async function ended(part: object, work: Promise<void>, logger: Logger): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    logger.error({ ...part, err: error }, 'a part of the service did not stop cleanly');
    return false;
  }
}

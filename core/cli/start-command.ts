import cluster from 'node:cluster';
import { StartupError } from '../errors/startup-error.ts';
import { ServerSettings } from '../http/server-settings.ts';
import { boot, type Kernel } from '../kernel/boot.ts';
import { faultPlace } from '../kernel/fault-place.ts';
import type { Plan } from '../kernel/plan.ts';
import { locate } from '../persistence/location.ts';
import { DatabaseSettings } from '../persistence/settings.ts';
import { DataSettings } from '../kernel/settings.ts';
import { LOGGER } from '../telemetry/logger.ts';
import { ownSupervisor } from './supervisor.ts';
import { startWatchdog } from './watchdog.ts';
import { superviseWorkers } from './workers.ts';

/**
 * `start`: serves until SIGTERM or SIGINT, finishes the calls in flight, and lets the exit code tell how it went. With
 * several workers this process only supervises them.
 */
export async function serve(plan: Plan, workers: number): Promise<void> {
  if (workers > 1 && cluster.isPrimary) {
    refuseWorkersOnSqlite(plan, workers);
    process.exit(await superviseWorkers(workers, (lines) => announce(lines)));
  }
  const supervisor = ownSupervisor();
  const kernel = await boot(plan, {
    listen: true,
    metricsOfAll: supervisor && (() => supervisor.metrics()),
  });
  // Before the announcement, because a signal may follow it at once.
  const stopped = untilStopped(kernel, plan);
  // Not before: migrations may block for longer.
  startWatchdog(plan.configuration.valuesOf(ServerSettings).watchdog_s, kernel.get(LOGGER));
  const lines = [`Vitrine serves at ${kernel.url}`, ...(await kernel.notes())];
  if (supervisor) supervisor.serves(lines, () => kernel.metricsSnapshot());
  else announce(lines);
  const clean = await stopped;
  // What still keeps the process open after a stop is a leak; the exit must not wait for it.
  process.exit(clean ? 0 : 1);
}

function announce(lines: readonly string[]): void {
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}

/** Several processes would only wait for one another on SQLite, which lets one write at a time. */
function refuseWorkersOnSqlite({ configuration }: Plan, workers: number): void {
  const { engine } = locate(
    configuration.valuesOf(DatabaseSettings).url,
    configuration.valuesOf(DataSettings).dir,
  );
  if (engine === 'postgres') return;
  throw new StartupError(
    `--workers ${workers} needs PostgreSQL: SQLite serves one process. Set DATABASE_URL to a postgres:// address, or start without --workers.`,
  );
}

/** Stops on a signal, and after an uncaught exception: state may be damaged then, and a supervisor starts a new process. */
function untilStopped(kernel: Kernel, { found }: Plan): Promise<boolean> {
  const logger = kernel.get(LOGGER);
  const about = (error: unknown) => ({ plugin: faultPlace(error, found)?.plugin, err: error });
  return new Promise((resolve) => {
    const stop = (): Promise<boolean> =>
      kernel.stop().catch((error: unknown) => {
        logger.error({ err: error }, 'The stop failed');
        return false;
      });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void stop().then(resolve));
    }
    process.on('uncaughtException', (error) => {
      logger.error(about(error), 'A fault that nobody caught; stopping');
      void stop().then(() => resolve(false));
    });
    process.on('unhandledRejection', (reason) => {
      logger.error(about(reason), 'A promise failed and nobody was waiting for it');
    });
  });
}

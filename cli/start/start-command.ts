import cluster from 'node:cluster';
import { StartupError } from '../../core/errors/startup-error.ts';
import { ServerSettings } from '../../core/http/server-settings.ts';
import { refuseTakenPort } from '../../core/http/taken-port.ts';
import { boot, type Kernel } from '../../core/kernel/boot.ts';
import { dataDirectory, planLocation } from '../../core/kernel/core-services.ts';
import { faultLocation } from '../../core/kernel/fault-location.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import { DataSettings } from '../../core/kernel/settings.ts';
import { LOGGER } from '../../core/telemetry/logger.ts';
import { createLogger, logWritten } from '../../core/telemetry/pino-logger.ts';
import { LoggingSettings } from '../../core/telemetry/settings.ts';
import { STOP_SIGNALS } from './stop-signals.ts';
import { ownSupervisor } from './supervisor.ts';
import { unusedDatabase } from './unused-database.ts';
import { startWatchdog } from './watchdog.ts';
import { superviseWorkers } from './workers.ts';

/**
 * `start`: serves until a signal stops it and finishes the calls in flight; the exit code is 0 after a clean stop. With
 * several workers this process only supervises them.
 */
export async function serve(plan: Plan, workers: number): Promise<void> {
  const supervisor = ownSupervisor();
  // Before anything is made, migrated or seeded. A worker shares its port with the others, and its supervisor has looked.
  if (!supervisor) await refuseTakenPort(plan.configuration.valuesOf(ServerSettings));
  if (workers > 1 && cluster.isPrimary) {
    refuseWorkersOnSqlite(plan, workers);
    const logger = createLogger(plan.configuration.valuesOf(LoggingSettings));
    const code = await superviseWorkers(workers, announce, logger);
    await logWritten();
    process.exit(code);
  }
  const dataDir = dataDirectory(plan.configuration.valuesOf(DataSettings).dir);
  const location = planLocation(plan);
  if (location.engine === 'sqlite') claimForService(location.file);
  const kernel = await boot(plan, {
    listen: true,
    metricsOfAll: supervisor && (() => supervisor.metrics()),
  });
  // Signals are handled before the announcement, because one may follow it at once.
  const stopped = untilStopped(kernel, plan);
  // The watchdog starts after the boot, because migrations may block the main loop for longer.
  startWatchdog(plan.configuration.valuesOf(ServerSettings).watchdog_s, kernel.get(LOGGER));
  const unused = unusedDatabase(location, dataDir);
  if (unused !== undefined) kernel.get(LOGGER).warn({}, unused);
  const lines = [`Vitrine serves at ${kernel.url}`, ...(await kernel.notes()), ...(unused ? [unused] : [])];
  if (supervisor) supervisor.serves(lines, () => kernel.metricsSnapshot());
  else announce(lines);
  const clean = await stopped;
  await logWritten();
  // A handle that keeps the process open after a stop is a leak; the exit must not wait for it.
  process.exit(clean ? 0 : 1);
}

function announce(lines: readonly string[]): void {
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}

/** SQLite allows one writer at a time, so several processes would only block each other. */
function refuseWorkersOnSqlite(plan: Plan, workers: number): void {
  if (planLocation(plan).engine === 'postgres') return;
  throw new StartupError(
    `--workers ${workers} needs PostgreSQL: SQLite serves one process. Set DATABASE_URL to a postgres:// address, or start without --workers.`,
  );
}

/** Stops on a signal, and after an uncaught exception, when state may be damaged and a supervisor starts a new process. */
function untilStopped(kernel: Kernel, { found }: Plan): Promise<boolean> {
  const logger = kernel.get(LOGGER);
  const about = (error: unknown) => ({ plugin: faultLocation(error, found)?.plugin, err: error });
  return new Promise((resolve) => {
    const stop = (): Promise<boolean> =>
      kernel.stop().catch((error: unknown) => {
        logger.error({ err: error }, 'The stop failed');
        return false;
      });
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => void stop().then(resolve));
    }
    process.on('uncaughtException', (error) => {
      logger.error(about(error), 'Uncaught exception; stopping');
      void stop().then(() => resolve(false));
    });
    process.on('unhandledRejection', (reason) => {
      logger.error(about(reason), 'Unhandled promise rejection');
    });
  });
}

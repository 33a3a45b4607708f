import { StartupError } from '../core/errors/startup-error.ts';
import { boot, type Kernel } from '../core/kernel/boot.ts';
import { planLocation } from '../core/kernel/core-services.ts';
import type { Plan } from '../core/kernel/plan.ts';
import { missingFile, type DatabaseLocation } from '../core/persistence/location.ts';
import { createLogger } from '../core/telemetry/pino-logger.ts';
import { LoggingSettings } from '../core/telemetry/settings.ts';

/**
 * Boots a kernel that does not listen, runs one command on it, and stops it. Start-up lines are not logged, because they
 * would surround the command's answer, such as a password. Unless `makesInstallation`, throws `StartupError` where there is
 * no SQLite file: a boot would make a new installation, though `DATA_DIR` is only wrong.
 */
export async function onKernel<T>(
  plan: Plan,
  work: (kernel: Kernel) => Promise<T>,
  { makesInstallation = false } = {},
): Promise<T> {
  if (!makesInstallation) refuseMissing(planLocation(plan));
  const logging = plan.configuration.valuesOf(LoggingSettings);
  const level = logging.level === 'info' ? 'warn' : logging.level;
  const kernel = await boot(plan, { listen: false, logger: createLogger({ ...logging, level }) });
  try {
    return await work(kernel);
  } finally {
    await kernel.stop();
  }
}

function refuseMissing(location: DatabaseLocation): void {
  const file = missingFile(location);
  if (file === undefined) return;
  throw new StartupError(
    `There is no database at ${file}. Correct DATA_DIR or DATABASE_URL; \`vitrine start\` makes a new installation.`,
  );
}

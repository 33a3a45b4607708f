import { boot, type Kernel } from '../core/kernel/boot.ts';
import type { Plan } from '../core/kernel/plan.ts';
import { createLogger } from '../core/telemetry/pino-logger.ts';
import { LoggingSettings } from '../core/telemetry/settings.ts';

/**
 * Boots a kernel that does not listen, runs one command on it, and stops it. Start-up lines are not logged, because they
 * would surround the command's answer, such as a password.
 */
export async function onKernel<T>(plan: Plan, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const logging = plan.configuration.valuesOf(LoggingSettings);
  const level = logging.level === 'info' ? 'warn' : logging.level;
  const kernel = await boot(plan, { listen: false, logger: createLogger({ ...logging, level }) });
  try {
    return await work(kernel);
  } finally {
    await kernel.stop();
  }
}

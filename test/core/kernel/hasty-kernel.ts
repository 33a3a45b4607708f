import { boot, type Kernel } from '../../../core/kernel/boot.ts';
import type { PluginDeadlines } from '../../../core/kernel/lifecycle.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import type { Scratch } from '../../../core/testing.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

export interface HastyOptions {
  readonly scratch: Scratch;
  readonly plugins: readonly PluginDefinition[];
  readonly deadlines: Partial<PluginDeadlines>;
  /** Plugins without which it may start. */
  readonly mayFail?: readonly string[];
  /** Receives the lines of the log. */
  readonly log?: { write(line: string): void };
}

/** Boots plugins as the service would, with deadlines for their start and stop that a test can wait for. */
export async function bootHastily(options: HastyOptions): Promise<Kernel> {
  const { scratch, plugins, deadlines, mayFail = [], log = { write: () => undefined } } = options;
  const plan = await makePlan({
    env: {},
    cwd: scratch.dataDir,
    definitions: plugins,
    overrides: {
      server: { port: 0 },
      data: { dir: scratch.dataDir },
      database: { url: scratch.databaseUrl },
      plugins: { may_fail: mayFail },
    },
  });
  const logger = createLogger({ level: 'debug', destination: log });
  return boot(plan, { listen: true, runsJobs: false, deadlines, logger });
}

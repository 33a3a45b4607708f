import { isOpenToOthers } from '../config/open-to-others.ts';
import type { Wiring } from '../di/container.ts';
import { boundValue } from '../di/module.ts';
import type { Token } from '../di/token.ts';
import type { LocalEventBus } from '../events/event-bus.ts';
import { API_DESCRIPTION } from '../http/openapi/api-description.ts';
import { rootPath } from '../http/routing/mounted-route.ts';
import { ServerSettings } from '../http/server-settings.ts';
import { migrate } from '../persistence/migrations/migrate.ts';
import { systemClock, type Clock } from '../support/clock.ts';
import { HEALTH } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricsSnapshot } from '../telemetry/metrics-snapshot.ts';
import { createLogger } from '../telemetry/pino-logger.ts';
import { LoggingSettings } from '../telemetry/settings.ts';
import { bindAll } from './bind.ts';
import { openCoreServices, type CoreServices } from './core-services.ts';
import { databaseFault } from './database-fault.ts';
import { describePlan, installationOf } from './description.ts';
import { withLocation } from './fault-location.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { INSTALLATION } from './installation.ts';
import { createJobs, type KernelJobs } from './jobs/create-jobs.ts';
import { withoutFaultyPlugins } from './leaving-out.ts';
import { PLUGIN_DEADLINES, startPlugins, type PluginDeadlines } from './lifecycle.ts';
import { migrationsOf } from './migrations.ts';
import { mountServer } from './mount.ts';
import { timed } from './phases.ts';
import { planHealth } from './plan-health.ts';
import type { Plan } from './plan.ts';
import { START_NOTES, startNotes, type StartNote } from './start-notes.ts';
import { closeCore, drain, stopEverything, stopRunning } from './stopping.ts';

export interface BootOptions {
  /** False for commands: everything starts but the listener. */
  readonly listen: boolean;
  /** Whether jobs run when they are due. Default: where it listens. */
  readonly runsJobs?: boolean | undefined;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** The metrics text of all worker processes, when this is one of several. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  /** How long plugins may take to start and to stop. */
  readonly deadlines?: Partial<PluginDeadlines>;
}

/** A running installation. */
export interface Kernel {
  /** The address without a path; `undefined` when the kernel does not listen. */
  readonly url: string | undefined;
  /** The lines that plugins print at the end of the start. */
  notes(): Promise<readonly string[]>;
  get<T>(token: Token<T>): T;
  /** The metrics of this process alone. */
  metricsSnapshot(): Promise<MetricsSnapshot>;
  /** Resolves when every listener has handled all events so far and the events that those caused. */
  settled(): Promise<void>;
  /** Resolves the dependencies of a plugin's command or step. */
  resolve: Wiring['resolve'];
  /** Stops in reverse order, once; resolves with whether everything stopped cleanly. */
  stop(): Promise<boolean>;
}

interface Surroundings {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly core: CoreServices;
  readonly listen: boolean;
  readonly runsJobs: boolean;
  readonly jobs: KernelJobs;
  readonly deadlines: PluginDeadlines;
}

/**
 * open → migrate → bind → mount routes → start → listen. When a phase fails, closes what it opened; when the failure is the
 * fault of plugins without which the service may start, starts again without them.
 */
export async function boot(plan: Plan, options: BootOptions): Promise<Kernel> {
  const logger = options.logger ?? createLogger(plan.configuration.valuesOf(LoggingSettings));
  for (const file of plan.configuration.secretFiles().filter(isOpenToOthers)) {
    logger.warn({ file }, `Every user of this machine may read the secrets in ${file}: chmod 600 ${file}`);
  }
  for (const { message } of plan.misnamed) logger.warn({}, message);
  let logged = 0;
  for (let tried = plan; ;) {
    for (const { id, why } of tried.leftOut.slice(logged)) {
      logger.error({ plugin: id, why }, 'The plugin cannot be used and is left out (plugins.may_fail)');
    }
    logged = tried.leftOut.length;
    try {
      return await bootOnce(tried, { ...options, logger });
    } catch (error) {
      tried = withoutFaultyPlugins(tried, error);
    }
  }
}

async function bootOnce(plan: Plan, options: BootOptions & { readonly logger: Logger }): Promise<Kernel> {
  const { logger, clock = systemClock } = options;
  const began = clock.elapsed();
  const core = await timed({ clock, logger }, { phase: 'open' }, 'core services opened', () =>
    openCoreServices(plan, { ...options, clock, logger }),
  );
  try {
    const around = {
      plan,
      clock,
      logger,
      core,
      listen: options.listen,
      runsJobs: options.runsJobs ?? options.listen,
      jobs: createJobs(core.database, { clock, logger }),
      deadlines: { ...PLUGIN_DEADLINES, ...options.deadlines },
    };
    await timed(around, { phase: 'migrate' }, 'migrated', () =>
      migrate(core.database, migrationsOf(plan), { logger }),
    );
    const wiring = await timed(around, { phase: 'bind' }, 'bound', () => bindEverything(around));
    const kernel = await run(around, wiring);
    logger.info(
      { ms: Math.round(clock.elapsed() - began), plugins: plan.plugins.length, url: kernel.url },
      'ready',
    );
    return kernel;
  } catch (error) {
    const fault = databaseFault(error, core.database);
    await closeCore(core, logger);
    throw withLocation(fault, plan.found);
  }
}

function bindEverything({ plan, core, clock, logger, jobs }: Surroundings): Wiring {
  const values = [
    ...core.values,
    boundValue(
      HEALTH,
      planHealth(plan, { database: core.database, clock, logger, jobs, wiring: () => wiring }),
    ),
    boundValue(INSTALLATION, { ...installationOf(plan), jobs }),
    boundValue(API_DESCRIPTION, describePlan(plan)),
  ];
  const wiring: Wiring = bindAll(plan, values, logger);
  jobs.bind(plan, wiring);
  return wiring;
}

async function run(around: Surroundings, wiring: Wiring): Promise<Kernel> {
  const { plan, core, clock, logger, listen, jobs, deadlines } = around;
  const lifecycle = { clock, logger, wiring, jobs, deadlines };
  const { base_path } = plan.configuration.valuesOf(ServerSettings);
  let ready = false;
  subscribeListeners(plan, core.events, wiring);
  const { notes } = wiring.resolve('core', { notes: START_NOTES }) as { notes: readonly StartNote[] };
  const server = mountServer(plan, { ...around, wiring, metrics: core.metrics, ready: () => ready });
  const running: LoadedPlugin[] = [];
  let url: string | undefined;
  try {
    await startPlugins(plan.plugins, lifecycle, running);
    url = listen ? (await server.listen()).url : undefined;
  } catch (error) {
    await server.close(0);
    await stopRunning(running, core, lifecycle);
    throw error;
  }
  ready = true;
  if (around.runsJobs) jobs.start();
  const stop = async (): Promise<boolean> => {
    ready = false;
    if (listen) await drain(server, plan.configuration.valuesOf(ServerSettings));
    return stopEverything(plan, core, lifecycle);
  };
  let stopping: Promise<boolean> | undefined;
  return {
    url,
    notes: () => startNotes(notes, (url ?? '') + rootPath(base_path), logger),
    get: (token) => wiring.get(token),
    metricsSnapshot: () => core.metrics.snapshot(),
    settled: () => core.events.idle(),
    resolve: (plugin, deps) => wiring.resolve(plugin, deps),
    stop: () => (stopping ??= stop()),
  };
}

/** Subscribes every plugin's listeners, each with its own dependencies. */
function subscribeListeners(plan: Plan, bus: LocalEventBus, wiring: Wiring): void {
  for (const { definition } of plan.plugins) {
    for (const { event, deps, handle } of definition.events?.listens ?? []) {
      const resolved = wiring.resolve(definition.id, deps);
      bus.listen(event, definition.id, (payload) => handle(payload as never, resolved as never));
    }
  }
}

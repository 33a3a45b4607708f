import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { JwtSettings, SecretsSettings } from '../auth/settings.ts';
import { createVault, VAULT } from '../auth/vault.ts';
import { createTokenIssuer, TOKEN_ISSUER } from '../auth/token-issuer.ts';
import { CLOCK } from '../di/clock-token.ts';
import { boundValue, type BoundValue } from '../di/module.ts';
import { createBackendClient } from '../egress/create-backend-client.ts';
import { BACKENDS } from '../egress/backend.ts';
import { EGRESS } from '../egress/egress.ts';
import { createEgress } from '../egress/create-egress.ts';
import { EgressSettings } from '../egress/settings.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createEventBus, EventFailuresMetric } from '../events/event-bus.ts';
import { EVENTS } from '../events/events.ts';
import { httpMetrics } from '../http/request-log.ts';
import { DATABASE } from '../persistence/database.ts';
import { openDatabase } from '../persistence/open-database.ts';
import type { OpenDatabase } from '../persistence/kernel-database.ts';
import { locate, type DatabaseLocation } from '../persistence/location.ts';
import { DatabaseSettings } from '../persistence/settings.ts';
import { INVALIDATION } from '../persistence/invalidation/invalidation.ts';
import { refuseUnfinishedTransfer } from '../persistence/migrations/unfinished-transfer.ts';
import type { Clock } from '../support/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { METRICS } from '../telemetry/metrics.ts';
import { openTracing } from '../telemetry/open-tracing.ts';
import { createMetrics } from '../telemetry/prometheus.ts';
import { TracingSettings } from '../telemetry/tracing-settings.ts';
import { TRACER } from '../telemetry/tracing.ts';
import type { Plan } from './plan.ts';
import { DATA_DIRECTORY } from './data-directory.ts';
import { databaseFault } from './database-fault.ts';
import { observeOperation, operationMetrics } from './operation-metrics.ts';
import { DataSettings } from './settings.ts';

/** The services of the kernel: opened before any plugin starts, closed after all of them have stopped. */
export type CoreServices = Awaited<ReturnType<typeof openCoreServices>>;

export interface CoreSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether it serves; commands send no traces. */
  readonly listen: boolean;
  /** The metrics text of all worker processes, when this is one of several. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
}

/** Opens database, egress, secrets, metrics and events according to the settings of the plan. */
export async function openCoreServices(plan: Plan, surroundings: CoreSurroundings) {
  const dataDir = dataDirectory(plan.configuration.valuesOf(DataSettings).dir);
  const database = await openPlanDatabase(plan, surroundings);
  try {
    // Before secrets are made: those of a restored database are still to come.
    await refuseUnfinishedTransfer(database);
    return await openOver(database, dataDir, plan, surroundings);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw databaseFault(error, database);
  }
}

async function openOver(
  database: OpenDatabase,
  dataDir: string,
  plan: Plan,
  { clock, logger, listen, metricsOfAll }: CoreSurroundings,
) {
  const { configuration } = plan;
  const declared = plan.plugins.flatMap(({ definition }) => definition.metrics ?? []);
  const metrics = createMetrics(
    [EventFailuresMetric, ...httpMetrics, ...operationMetrics, ...declared],
    metricsOfAll,
  );
  const jwt = configuration.valuesOf(JwtSettings);
  const tokenIssuer = createTokenIssuer({ settings: jwt, dataDir, clock, logger });
  const vault = createVault({ settings: configuration.valuesOf(SecretsSettings), dataDir });
  const egress = createEgress(configuration.valuesOf(EgressSettings));
  const backends = createBackendClient();
  const events = createEventBus({
    logger,
    clock,
    onFailure: ({ event, plugin }) => metrics.counter(EventFailuresMetric.name).inc({ event, plugin }),
  });
  database.watchChanges();
  const tracing = listen ? await openTracing(configuration.valuesOf(TracingSettings), logger) : undefined;
  observeOperation(metrics, database);
  const values: readonly BoundValue[] = [
    boundValue(CLOCK, clock),
    boundValue(DATA_DIRECTORY, dataDir),
    boundValue(METRICS, metrics),
    boundValue(TRACER, tracing?.tracer),
    boundValue(TOKEN_ISSUER, tokenIssuer),
    boundValue(VAULT, vault),
    boundValue(EGRESS, egress),
    boundValue(BACKENDS, backends),
    boundValue(EVENTS, events),
    boundValue(DATABASE, database),
    boundValue(INVALIDATION, database.invalidation),
  ];
  const close = async (): Promise<void> => {
    await Promise.all([egress.close(), backends.close(), tracing?.close()]);
    await database.close();
  };
  return { metrics, events, database, values, close };
}

/** Opens the database that the plan's settings name; makes no data directory. */
export async function openPlanDatabase(
  { configuration }: Plan,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<OpenDatabase> {
  const settings = configuration.valuesOf(DatabaseSettings);
  const dataDir = resolve(configuration.valuesOf(DataSettings).dir);
  return openDatabase({ url: settings.url, settings, dataDir, logger, clock });
}

/** Where the database of a plan is. */
export function planLocation({ configuration }: Plan): DatabaseLocation {
  return locate(configuration.valuesOf(DatabaseSettings).url, configuration.valuesOf(DataSettings).dir);
}

/** The absolute path of the data directory, made when it is missing. Throws `StartupError` when that is not possible. */
export function dataDirectory(dir: string): string {
  const path = resolve(dir);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartupError(
      `The data directory "${path}" (data.dir, DATA_DIR) cannot be made: ${(error as Error).message}`,
      [],
      { cause: error },
    );
  }
  return path;
}

import { PERMISSION_DECIDERS } from '../auth/permission.ts';
import { CREDENTIAL_VERIFIERS } from '../auth/verifier.ts';
import type { Wiring } from '../di/container.ts';
import { rootPath } from '../http/routing/mounted-route.ts';
import { aliasRoutes } from '../http/routing/path-aliases.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import { HTTP_MIDDLEWARES } from '../http/middlewares.ts';
import { coreRoutes } from '../http/core-routes.ts';
import { ServerSettings } from '../http/server-settings.ts';
import type { Clock } from '../support/clock.ts';
import { HEALTH } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { LoggingSettings } from '../telemetry/settings.ts';
import { TRACER } from '../telemetry/tracing.ts';
import type { Plan } from './plan.ts';

interface MountOptions {
  readonly wiring: Wiring;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly ready: () => boolean;
}

/** Creates the server with every route of the plan. Throws `StartupError` when two routes clash. */
export function mountServer(plan: Plan, { wiring, ...around }: MountOptions): HttpServer {
  const { verifiers, deciders, middlewares } = wiring.resolve('core', {
    verifiers: CREDENTIAL_VERIFIERS,
    deciders: PERMISSION_DECIDERS,
    middlewares: HTTP_MIDDLEWARES,
  }) as Pick<Parameters<typeof createHttpServer>[0], 'verifiers' | 'deciders' | 'middlewares'>;
  const settings = plan.configuration.valuesOf(ServerSettings);
  const probes = coreRoutes({
    rootPath: rootPath(settings.base_path),
    ready: around.ready,
    health: wiring.get(HEALTH),
    metrics: around.metrics,
  });
  // Tests compile the schemas of built-in plugins; those of external plugins are compiled at every start.
  const builtIn = new Set(plan.found.filter(({ origin }) => origin === 'built-in').map(({ id }) => id));
  const served = plan.plugins.flatMap(({ definition: { id, routes = [] } }) =>
    routes.map((route) => ({
      plugin: id,
      isBuiltIn: builtIn.has(id),
      route,
      deps: wiring.resolve(id, route.deps),
    })),
  );
  return createHttpServer({
    ...around,
    settings,
    tracer: wiring.get(TRACER),
    requestLevel: plan.configuration.valuesOf(LoggingSettings).requests,
    verifiers,
    deciders,
    middlewares,
    routes: [...probes, ...served, ...aliasRoutes(served, settings.path_aliases)],
  });
}

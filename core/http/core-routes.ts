import Type from 'typebox';
import { NotReady } from '../errors/core-problems.ts';
import type { Health } from '../telemetry/health.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { MountedRoute } from './routing/mounted-route.ts';
import { rawContent, replyBytes, routesWith } from './routing/route.ts';

const route = routesWith({});

const Finding = Type.Object({ state: Type.String(), detail: Type.Optional(Type.String()) });

const ProbeAnswer = Type.Object({
  status: Type.String(),
  findings: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: Finding }),
  ),
});

const ProbeQuery = Type.Object(
  { verbose: Type.Optional(Type.Boolean({ description: 'Tells what each check found.' })) },
  { additionalProperties: false },
);

/** What the routes for orchestrators share. */
const forOrchestrators = {
  method: 'GET',
  atRoot: true,
  hidden: true,
  probe: true,
  access: 'anonymous',
} as const;

export interface CoreRouteParts {
  /** What stands before `/api/v1` in the base path, or empty. */
  readonly rootPath?: string;
  readonly ready: () => boolean;
  readonly health: Health;
  readonly metrics: Metrics;
}

/**
 * The routes for orchestrators: `/livez`, `/readyz` and `/metrics`. They are always at the root, where orchestrators ask
 * the process itself, and also below the root path, where requests through a proxy arrive.
 */
export function coreRoutes({
  rootPath = '',
  ready,
  health,
  metrics,
}: CoreRouteParts): readonly MountedRoute[] {
  const routes = [livez(), readyz(ready, health), exposition(metrics)];
  const moved = routes.map((declared) => ({
    ...declared,
    path: `${rootPath}${declared.path}`,
    operationId: `${declared.operationId}BelowRootPath`,
  }));
  return [...routes, ...(rootPath === '' ? [] : moved)].map((declared) => ({
    plugin: 'core',
    isAbsolute: true,
    route: declared,
    deps: {},
  }));
}

function livez() {
  return route({
    ...forOrchestrators,
    path: '/livez',
    operationId: 'livez',
    summary: 'Tells that the process runs; asks nothing else',
    query: ProbeQuery,
    answers: ProbeAnswer,
    handle: () => ({ status: 'alive' }),
  });
}

function readyz(ready: () => boolean, health: Health) {
  return route({
    ...forOrchestrators,
    path: '/readyz',
    operationId: 'readyz',
    summary: 'Tells whether requests should be sent here',
    query: ProbeQuery,
    answers: ProbeAnswer,
    handle: async ({ query }) => {
      if (!ready()) throw NotReady('The service is starting or stopping.');
      const { state, findings } = await health.report();
      const shown = query.verbose ? { findings } : {};
      if (state === 'unhealthy') throw NotReady('A check of the service fails.', { members: shown });
      return { status: 'ready', ...shown };
    },
  });
}

function exposition(metrics: Metrics) {
  return route({
    ...forOrchestrators,
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Shows the metrics of the kernel and of every plugin, for Prometheus',
    answers: rawContent('text/plain; version=0.0.4; charset=utf-8'),
    handle: async () => {
      const { text, contentType } = await metrics.expose();
      return replyBytes(text, { headers: { 'Content-Type': contentType } });
    },
  });
}

import { AUDIT, AUDIT_SINKS } from '../audit/audit.ts';
import { createAudit } from '../audit/create-audit.ts';
import { CREDENTIAL_VERIFIERS } from '../auth/verifier.ts';
import { PERMISSION_DECIDERS } from '../auth/permission.ts';
import { HTTP_MIDDLEWARES } from '../http/middlewares.ts';
import type { Configuration } from '../config/configuration.ts';
import { wire, type Wiring } from '../di/container.ts';
import { boundValue, type BoundValue, type Module } from '../di/module.ts';
import { service } from '../di/service.ts';
import { LOGGER, type Logger } from '../telemetry/logger.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import type { Plan } from './plan.ts';
import { START_NOTES } from './start-notes.ts';

/** Binds and creates the services of the kernel and of every plugin. Throws `StartupError`. */
export function bindAll(plan: Plan, values: readonly BoundValue[], logger: Logger): Wiring {
  const core: Module = {
    plugin: 'core',
    requires: [],
    optional: [],
    services: [service({ token: AUDIT, deps: { sinks: AUDIT_SINKS, logger: LOGGER }, create: createAudit })],
    opens: [AUDIT_SINKS, CREDENTIAL_VERIFIERS, PERMISSION_DECIDERS, HTTP_MIDDLEWARES, START_NOTES],
    contributions: [],
    emits: [],
    listensTo: [],
    values: [...values, boundValue(LOGGER, logger)],
    users: [],
  };
  return wire([core, ...plan.plugins.map((plugin) => moduleOf(plugin, plan.configuration, logger))]);
}

function moduleOf({ definition }: LoadedPlugin, configuration: Configuration, logger: Logger): Module {
  const { id, config, routes = [], events, health = [], commands = [], jobs = [], start, stop } = definition;
  const values = [boundValue(LOGGER, logger.child({ plugin: id }), true)];
  if (config) values.push(boundValue(config.token, configuration.valuesOf(config)));
  return {
    plugin: id,
    requires: definition.requires ?? [],
    optional: definition.optional ?? [],
    services: definition.services ?? [],
    opens: definition.opens ?? [],
    contributions: definition.contributes ?? [],
    emits: events?.emits ?? [],
    listensTo: (events?.listens ?? []).map(({ event }) => event),
    values,
    users: [
      ...routes.map(({ method, path, deps }) => ({ name: `the route ${method} ${path}`, deps })),
      ...(events?.listens ?? []).map(({ event, deps }) => ({ name: `its listener to "${event.id}"`, deps })),
      ...health.map(({ name, deps }) => ({ name: `the health check "${name}"`, deps })),
      ...commands.map(({ name, deps }) => ({ name: `the command "${name}"`, deps })),
      ...jobs.map(({ name, deps }) => ({ name: `the job "${name}"`, deps })),
      ...(start ? [{ name: 'its start', deps: start.deps }] : []),
      ...(stop ? [{ name: 'its stop', deps: stop.deps }] : []),
    ],
  };
}

import { StartupError } from '../errors/startup-error.ts';
import type { LeftOut, Plan } from './plan.ts';
import { withRequirements } from './requirements.ts';
import { PluginsSettings } from './settings.ts';

/**
 * The plan without the plugins that caused an error and without their dependents. Throws the error when the service may
 * not start without one of them, or when no particular plugin caused it.
 */
export function withoutFaultyPlugins(plan: Plan, error: unknown): Plan {
  if (!(error instanceof StartupError) || error.plugins.length === 0) throw error;
  const mayFail = plan.configuration.valuesOf(PluginsSettings).may_fail;
  const isExcused = (id: string): boolean => mayFail.includes(id);
  if (!error.plugins.every(isExcused)) throw error;
  const { kept, faults } = withRequirements(
    plan.plugins.filter(({ definition }) => !error.plugins.includes(definition.id)),
    { switchedOff: [], mayFail, faulty: new Set([...error.plugins, ...plan.leftOut.map(({ id }) => id)]) },
  );
  const refusals = faults.filter(({ plugin }) => !isExcused(plugin!)).map(({ message }) => message);
  if (refusals.length > 0) {
    throw new StartupError([error.message, ...refusals].join('\n'), [], { cause: error });
  }
  const leftOut: LeftOut[] = [
    ...error.plugins.map((id) => ({ id, why: error.message })),
    ...faults.map(({ plugin, message }) => ({ id: plugin!, why: message })),
  ];
  return { ...plan, plugins: kept, leftOut: [...plan.leftOut, ...leftOut] };
}

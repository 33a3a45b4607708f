import { StartupError } from '../errors/startup-error.ts';
import type { LeftOut, Plan } from './plan.ts';
import { withRequirements } from './requirements.ts';
import { PluginsSettings } from './settings.ts';

/**
 * The plan without the plugins that an error is the fault of, and without those that need them. Throws when they are not
 * all among those without which the service may start, or the error is no particular plugin's fault.
 */
export function withoutCulprits(plan: Plan, error: unknown): Plan {
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

import { installationOf } from '../kernel/description.ts';
import type { Plan } from '../kernel/plan.ts';
import { columns, type Answer } from './output.ts';

/** `plugins list`: what is there, and what is switched on. */
export function listPlugins(plan: Plan): Answer {
  const { plugins } = installationOf(plan);
  const rows = plugins.map(({ id, version, enabled, origin, requires, summary }) => [
    id,
    version ?? '-',
    enabled ? 'on' : 'off',
    origin,
    requires.join(', ') || '-',
    summary ?? '',
  ]);
  return {
    says: columns([['PLUGIN', 'VERSION', 'STATE', 'FROM', 'REQUIRES', 'WHAT IT DOES'], ...rows]),
    data: plugins,
  };
}

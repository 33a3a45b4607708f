import { StartupError } from '../../core/errors/startup-error.ts';
import { installationOf } from '../../core/kernel/description.ts';
import type { FoundPlugin } from '../../core/kernel/found-plugin.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { approvalOf, whyNotApproved } from '../../core/kernel/plugin-integrity.ts';
import { columns, type Answer } from '../output.ts';

/** `plugins list`: the installed plugins, and whether each is enabled. */
export function listPlugins(plan: Plan): Answer {
  const { plugins } = installationOf(plan);
  const rows = plugins.map(({ id, version, enabled, leftOut, origin, requires, summary }) => [
    id,
    version ?? '-',
    leftOut === undefined ? (enabled ? 'on' : 'off') : 'left out',
    origin,
    requires.join(', ') || '-',
    leftOut ?? summary ?? '',
  ]);
  return {
    message: columns([['PLUGIN', 'VERSION', 'STATE', 'FROM', 'REQUIRES', 'WHAT IT DOES'], ...rows]),
    data: plugins,
  };
}

/** `plugins hash`: the entry of `plugins.integrity` that approves the current code of a plugin. */
export function hashPlugin(found: readonly FoundPlugin[], id: string): Answer {
  const why = whyNotApproved(id, found);
  if (why) throw new StartupError(why);
  const plugin = found.find((one) => one.id === id)!;
  const entry = approvalOf(plugin);
  return { message: entry, data: { id, folder: plugin.folder, integrity: entry } };
}

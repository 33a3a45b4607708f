import { StartupError } from '../../core/errors/startup-error.ts';
import { tablePrefix, type PluginMigrations } from '../../core/persistence/migrations/ledger.ts';
import type { AppliedSteps } from './stored-table.ts';

/**
 * The migrations as far as they were applied to the source, so that its tables are made as they were then. Throws
 * `StartupError` for steps that this release does not know, and for plugins that are not switched on.
 */
export function stepsOfSource(
  plugins: readonly PluginMigrations[],
  applied: readonly AppliedSteps[],
  source: string,
): PluginMigrations[] {
  const known = new Map(plugins.map((plugin) => [tablePrefix(plugin.id), plugin]));
  const complaints: string[] = [];
  for (const { owner, applied: names } of applied) {
    const plugin = known.get(`${owner}_`);
    if (!plugin) {
      complaints.push(
        `It has tables of the plugin "${owner.replaceAll('_', '-')}", which is not switched on here: switch it on for this command (plugins.disabled, plugins.enabled).`,
      );
      continue;
    }
    const unknown = names.filter((name) => !plugin.migrations.some((step) => step.name === name));
    if (unknown.length > 0) {
      complaints.push(
        `Its plugin "${plugin.id}" has the steps ${unknown.join(', ')}, which this release does not know: a newer one made them. Install that release.`,
      );
    }
  }
  if (complaints.length > 0) {
    throw new StartupError(
      [`${source} does not fit this installation.`, ...complaints, 'Nothing was changed.'].join('\n'),
    );
  }
  return plugins.flatMap((plugin) => {
    const names = applied.find(({ owner }) => `${owner}_` === tablePrefix(plugin.id))?.applied;
    return names
      ? [{ ...plugin, migrations: plugin.migrations.filter(({ name }) => names.includes(name)) }]
      : [];
  });
}

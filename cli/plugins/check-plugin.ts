import { StartupError } from '../../core/errors/startup-error.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import type { Engine } from '../../core/persistence/database.ts';
import { pluginFaults } from '../../core/testing/plugin-check/plugin-faults.ts';
import type { Answer } from '../output.ts';

interface EngineReport {
  readonly engine: Engine;
  readonly faults: readonly string[];
}

/** The answer of `plugins check`. */
export interface CheckAnswer extends Answer {
  readonly data: { readonly id: string; readonly ok: boolean; readonly engines: readonly EngineReport[] };
}

/** `plugins check`: runs the conformance kit on an enabled plugin, on temporary databases. */
export async function checkPlugin(plan: Plan, id: string, engines: readonly Engine[]): Promise<CheckAnswer> {
  const definitions = plan.plugins.map(({ definition }) => definition);
  const plugin = definitions.find((definition) => definition.id === id);
  if (!plugin) throw notEnabled(plan, id);
  const settings = plugin.config && {
    [plugin.config.section]: plan.configuration.valuesOf(plugin.config) as Record<string, unknown>,
  };
  const reports: EngineReport[] = [];
  for (const engine of engines) {
    const check = { plugin, engine, installed: definitions, ...(settings && { settings }) };
    reports.push({ engine, faults: await pluginFaults(check) });
  }
  return {
    message: reports.map(reportText).join('\n'),
    data: { id, ok: reports.every(({ faults }) => faults.length === 0), engines: reports },
  };
}

function notEnabled({ found }: Plan, id: string): StartupError {
  const known = found.find((plugin) => plugin.id === id);
  return new StartupError(
    known
      ? `The plugin "${id}" was found in ${known.folder}, but it is switched off. Add it to plugins.enabled (PLUGINS_ENABLED=${id}).`
      : `There is no plugin "${id}". Name its folder's parent in plugins.path (PLUGINS_PATH), or its package in plugins.packages. Found: ${found.map((plugin) => plugin.id).join(', ')}.`,
  );
}

function reportText({ engine, faults }: EngineReport): string {
  if (faults.length === 0) return `${engine}: no faults`;
  return [
    `${engine}: ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}`,
    ...faults.map((fault) => `  - ${fault}`),
  ].join('\n');
}

import { faultyInstallation } from '../kernel/fault.ts';
import type { Plan } from '../kernel/plan.ts';
import { columns, type Answer } from './output.ts';

/** `config check`: making the plan has checked all faults; this reports the warnings. */
export function checkConfiguration(plan: Plan): Answer {
  const faults = [...plan.leftOut.map(({ id, why }) => ({ message: why, plugin: id })), ...plan.misnamed];
  if (faults.length > 0) throw faultyInstallation(faults);
  const entries = plan.configuration.entries();
  const set = entries.filter(({ changed }) => changed);
  return {
    message: `The settings are in order: ${entries.length} settings, ${set.length} of them not at their default.`,
    data: { ok: true, settings: entries.length, changed: set.map(({ section, key }) => `${section}.${key}`) },
  };
}

/** `config print`: the effective values, each with its source. */
export function printConfiguration(plan: Plan): Answer {
  const entries = plan.configuration.entries();
  const rows = entries.map(({ section, key, value, source }) => [
    `${section}.${key}`,
    JSON.stringify(value),
    source,
  ]);
  return { message: columns([['SETTING', 'VALUE', 'FROM'], ...rows]), data: entries };
}

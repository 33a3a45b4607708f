import type { Plan } from '../kernel/plan.ts';
import { columns, type Answer } from './output.ts';

/** `config check`: making the plan checked everything, so being here is the good news. */
export function checkConfiguration(plan: Plan): Answer {
  const entries = plan.configuration.entries();
  const set = entries.filter(({ changed }) => changed);
  return {
    says: `The settings are in order: ${entries.length} settings, ${set.length} of them not at their default.`,
    data: { ok: true, settings: entries.length, changed: set.map(({ section, key }) => `${section}.${key}`) },
  };
}

/** `config print`: the effective values with where each came from. */
export function printConfiguration(plan: Plan): Answer {
  const entries = plan.configuration.entries();
  const rows = entries.map(({ section, key, value, source }) => [
    `${section}.${key}`,
    JSON.stringify(value),
    source,
  ]);
  return { says: columns([['SETTING', 'VALUE', 'FROM'], ...rows]), data: entries };
}

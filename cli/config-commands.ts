import { faultyInstallation, StartupError } from '../core/errors/startup-error.ts';
import type { Plan } from '../core/kernel/plan.ts';
import { columns, failureData, type Answer } from './output.ts';

/** What `config check` found; a failure has its reasons as `error` and `faults`. */
interface Check extends Answer {
  readonly data: { readonly ok: boolean; readonly [name: string]: unknown };
}

/** `config check`: an installation with faults is an answer as well. Rejects with what is not a fault of it. */
export async function checkConfiguration(makePlan: () => Promise<Plan>): Promise<Check> {
  try {
    return settingsInOrder(await makePlan());
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const { message, findings } = error;
    return { message, data: { ok: false, ...failureData(message, findings) } };
  }
}

/** Making the plan has checked all faults; this throws the warnings as well. */
function settingsInOrder(plan: Plan): Check {
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

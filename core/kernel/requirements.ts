import type { Fault } from '../errors/startup-error.ts';
import type { LoadedPlugin } from './found-plugin.ts';

/** Plugins that are not available. */
export interface Absent {
  readonly switchedOff: readonly string[];
  /** Plugins that cannot be used, for a reason that is already reported. */
  readonly faulty: ReadonlySet<string>;
  /** The plugins without which the service may start. */
  readonly mayFail: readonly string[];
}

type ById = ReadonlyMap<string, LoadedPlugin>;

/** Returns the plugins whose requirements are met, and reports what the others lack, unless that is already reported. */
export function withRequirements(
  plugins: readonly LoadedPlugin[],
  { switchedOff, mayFail, faulty }: Absent,
): { readonly kept: readonly LoadedPlugin[]; readonly faults: readonly Fault[] } {
  const missingIds = new Set(faulty);
  const faults: Fault[] = [];
  for (let kept = plugins; ;) {
    const byId = new Map(kept.map((plugin) => [plugin.definition.id, plugin]));
    const lacking = kept.filter((plugin) => missingRequirements(plugin, byId).length > 0);
    if (lacking.length === 0) return { kept, faults };
    for (const plugin of lacking) {
      const { id } = plugin.definition;
      const unreported = missingRequirements(plugin, byId).filter(
        (other) => !missingIds.has(other) || mayFail.includes(other),
      );
      const message = (other: string): string =>
        missingIds.has(other) ? leftOut(id, other) : missing(id, other, switchedOff.includes(other), byId);
      faults.push(...unreported.map((other) => ({ plugin: id, message: message(other) })));
    }
    for (const { definition } of lacking) missingIds.add(definition.id);
    kept = kept.filter((plugin) => !lacking.includes(plugin));
  }
}

function missingRequirements({ definition }: LoadedPlugin, byId: ById): readonly string[] {
  return (definition.requires ?? []).filter((id) => !byId.has(id));
}

function leftOut(plugin: string, other: string): string {
  return (
    `The plugin "${plugin}" requires "${other}", which is left out. ` +
    `Correct "${other}", or name "${plugin}" in plugins.may_fail (PLUGINS_MAY_FAIL) as well.`
  );
}

function missing(plugin: string, other: string, isOff: boolean, byId: ById): string {
  const dependents = dependentsOf(plugin, byId);
  const chain = [...dependents, plugin, other].join(' → ');
  const together = [plugin, ...dependents].join(', ');
  return (
    `The plugin "${plugin}" requires "${other}", which is ${isOff ? 'switched off' : 'not installed'} (${chain}). ` +
    `${isOff ? `Switch "${other}" on` : `Install "${other}"`}, or switch ${together} off as well (plugins.disabled, PLUGINS_DISABLED).`
  );
}

/** The ids of plugins that require the plugin, directly or through others. */
function dependentsOf(id: string, byId: ById): string[] {
  const dependents = new Set<string>();
  const collect = (of: string): void => {
    for (const { definition } of byId.values()) {
      if (definition.requires?.includes(of) && !dependents.has(definition.id)) {
        dependents.add(definition.id);
        collect(definition.id);
      }
    }
  };
  collect(id);
  return [...dependents].reverse();
}

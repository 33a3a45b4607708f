import { faultyInstallation, StartupError, type Fault } from '../errors/startup-error.ts';
import { accessFaults } from '../auth/declared-permissions.ts';
import type { Configuration } from '../config/configuration.ts';
import { loadConfiguration, type ConfigurationSource } from '../config/load.ts';
import { misnamedVariables } from '../config/misnamed.ts';
import type { Settings } from '../config/settings.ts';
import type { YamlFile } from '../config/yaml-file.ts';
import { aliasFaults } from '../http/routing/path-aliases.ts';
import { ServerSettings } from '../http/server-settings.ts';
import { coreSettings } from './core-settings.ts';
import { definitionFaults } from './definition-check.ts';
import { discover } from './discovery.ts';
import { Faults } from './faults.ts';
import { isFromOutside, type FoundPlugin, type LoadedPlugin } from './found-plugin.ts';
import { isBuiltIn, load } from './loading.ts';
import { inBootOrder } from './order.ts';
import type { PluginDefinition } from './plugin.ts';
import { integrityFaults } from './plugin-integrity.ts';
import { withRequirements } from './requirements.ts';
import { PluginsSettings } from './settings.ts';
import { shown } from './shape-check.ts';

/** What will run, checked, before anything is opened. */
export interface Plan {
  /** Enabled plugins in boot order. */
  readonly plugins: readonly LoadedPlugin[];
  /** All plugins that were found, enabled or not. */
  readonly found: readonly FoundPlugin[];
  /** Enabled plugins that cannot be used, and without which the service may start. */
  readonly leftOut: readonly LeftOut[];
  readonly configuration: Configuration;
  /** Environment variables that look like misspelt settings. */
  readonly misnamed: readonly Fault[];
}

/** A plugin that is left out, and why. */
export interface LeftOut {
  readonly id: string;
  readonly why: string;
}

export interface PlanOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The directory from which relative paths and npm packages are resolved. */
  readonly cwd: string;
  /** Values that take precedence over all others; for tests. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Plugins to use instead of those that are found; for tests. */
  readonly definitions?: readonly PluginDefinition[];
}

/**
 * discover → check integrity → load → check definitions → order → configure. A fault in one phase does not prevent the
 * later ones. Throws one `StartupError` with every fault, except those of plugins without which the service may start.
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const files = await ownFiles(options.env);
  const selection = selectionOf(options, files);
  const faults = new Faults();
  const { found, loaded } = await loadSelected(options, files, selection, faults);
  const valid = validPlugins(loaded, faults);
  const off = found.filter(({ enabled }) => !enabled).map(({ id }) => id);
  const soundIds = valid.map(({ definition }) => definition.id);
  const faulty = new Set(
    found.filter(({ enabled, id }) => enabled && !soundIds.includes(id)).map(({ id }) => id),
  );
  const { kept, faults: lacks } = withRequirements(valid, {
    switchedOff: off,
    mayFail: selection.may_fail,
    faulty,
  });
  faults.add(lacks);
  const plugins = faults.attempt(() => inBootOrder(kept)) ?? [];
  const sections = [...coreSettings, ...valid.flatMap(({ definition }) => definition.config ?? [])];
  const ignoredSections = [...off, ...faulty];
  const configuration = faults.attempt(() => configure(options, files, sections, { ignoredSections }));
  // What a faulty plugin would serve is not known.
  if (configuration && faulty.size === 0) {
    const routes = valid.flatMap(({ definition }) => definition.routes ?? []);
    faults.add(aliasFaults(routes, configuration.valuesOf(ServerSettings).path_aliases));
  }
  const isExcused = ({ plugin }: Fault): boolean =>
    plugin !== undefined && selection.may_fail.includes(plugin);
  const misnamed = misnamedVariables(sections, options.env);
  if (!configuration || !faults.all.every(isExcused)) {
    throw faultyInstallation([...faults.all, ...misnamed]);
  }
  return {
    plugins,
    found,
    configuration,
    leftOut: faults.all.map(({ plugin, message }) => ({ id: plugin!, why: message })),
    misnamed,
  };
}

/** Every plugin that is found, approved or not; loads none of their code. */
export async function findPlugins(options: PlanOptions): Promise<readonly FoundPlugin[]> {
  const { found, faults } = discover(selectionOf(options, await ownFiles(options.env)), options.cwd);
  if (faults.length > 0) throw faultyInstallation(faults);
  return found;
}

function selectionOf(options: PlanOptions, files: readonly YamlFile[]): PluginsSettings {
  return configure(options, files, [PluginsSettings], { lenient: true }).valuesOf(PluginsSettings);
}

async function loadSelected(
  options: PlanOptions,
  files: readonly YamlFile[],
  selection: PluginsSettings,
  faults: Faults,
): Promise<{ readonly found: readonly FoundPlugin[]; readonly loaded: readonly LoadedPlugin[] }> {
  const { definitions } = options;
  if (definitions) {
    definitions.forEach(refuseOther);
    const given = definitions.map((definition) => ({ found: asFound(definition), definition }));
    return { found: given.map(({ found }) => found), loaded: given };
  }
  const { found, faults: lost } = discover(selection, options.cwd);
  faults.add(lost);
  const { loaded, faults: broken } = await load(approved(found, options, files, selection, faults));
  faults.add(broken);
  return { found, loaded };
}

/** The plugins whose code may be loaded. One invalid entry excludes every external plugin. */
function approved(
  found: readonly FoundPlugin[],
  options: PlanOptions,
  files: readonly YamlFile[],
  { integrity }: PluginsSettings,
  faults: Faults,
): readonly FoundPlugin[] {
  const unlike = integrityFaults(found, integrity);
  faults.add(unlike);
  const ignoredSections = found.map(({ id }) => id);
  const understood = new Faults();
  understood.attempt(() => configure(options, files, coreSettings, { ignoredSections }));
  const isOpen = understood.all.length === 0 && unlike.every(({ plugin }) => plugin !== undefined);
  return found.filter((plugin) => !faults.blames(plugin.id) && (isOpen || !isFromOutside(plugin)));
}

/** The plugins with valid definitions. */
function validPlugins(loaded: readonly LoadedPlugin[], faults: Faults): readonly LoadedPlugin[] {
  faults.add(definitionFaults(loaded));
  const whole = loaded.filter(({ definition }) => !faults.blames(definition.id));
  const declared = whole.flatMap(({ definition }) => definition.permissions ?? []);
  for (const { definition } of whole) {
    const { id: plugin, routes = [] } = definition;
    faults.add(
      accessFaults(routes, declared).map((message) => ({
        plugin,
        message: `Plugin "${plugin}": ${message}`,
      })),
    );
  }
  return whole.filter(({ definition }) => !faults.blames(definition.id));
}

/** The operator's file. The YAML parser is loaded only if there is one, because loading it takes a tenth of the start. */
async function ownFiles(env: NodeJS.ProcessEnv): Promise<readonly YamlFile[]> {
  const own = env['VITRINE_CONFIG'];
  if (!own) return [];
  const { readYamlFile } = await import('../config/yaml-file.ts');
  return [readYamlFile(own)];
}

function configure(
  { env, overrides }: PlanOptions,
  files: readonly YamlFile[],
  sections: readonly Settings[],
  more: Partial<Pick<ConfigurationSource, 'ignoredSections' | 'lenient'>>,
): Configuration {
  return loadConfiguration({
    sections,
    ...more,
    files,
    env,
    ...(overrides ? { overrides } : {}),
  });
}

function refuseOther(definition: Partial<PluginDefinition> | undefined, index: number): void {
  if (typeof definition?.id === 'string') return;
  throw new StartupError(
    `Entry ${index + 1} of the plugins is ${shown(definition)}, which has no id. Pass what definePlugin({ … }) returns, the default export of its module.`,
  );
}

function asFound(definition: PluginDefinition): FoundPlugin {
  const origin = isBuiltIn(definition) ? 'built-in' : 'given';
  return { id: definition.id, origin, enabled: true, folder: '', entry: '' };
}

import { checkPermissionsDeclared } from '../auth/declared-permissions.ts';
import type { Configuration } from '../config/configuration.ts';
import { loadConfiguration, type ConfigurationSource } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import type { YamlFile } from '../config/yaml-file.ts';
import { StartupError } from '../errors/startup-error.ts';
import { coreSettings } from './core-settings.ts';
import { definitionFaults } from './definition-check.ts';
import { discover } from './discovery.ts';
import { isFromOutside, type FoundPlugin, type LoadedPlugin } from './found-plugin.ts';
import { load } from './loading.ts';
import { inBootOrder } from './order.ts';
import type { PluginDefinition } from './plugin.ts';
import { checkIntegrity } from './plugin-integrity.ts';
import { PluginsSettings } from './settings.ts';

/** What will run, decided and checked; nothing is opened yet. */
export interface Plan {
  /** Enabled plugins in boot order. */
  readonly plugins: readonly LoadedPlugin[];
  /** All that is there, switched off or not. */
  readonly found: readonly FoundPlugin[];
  readonly configuration: Configuration;
}

export interface PlanOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Relative paths and npm packages are looked up from here. */
  readonly cwd: string;
  /** Values that win over everything; for tests. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** These plugins instead of those found; for tests. */
  readonly definitions?: readonly PluginDefinition[];
}

/** discover → check integrity → check definitions → order → configure. Throws `StartupError` with every fault of the phase. */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const { definitions } = options;
  const files = await ownFiles(options.env);
  const settings = selectionOf(options, files);
  const found = definitions ? definitions.map(asFound) : discover(settings, options.cwd);
  const loaded = definitions
    ? definitions.map((definition) => ({ found: asFound(definition), definition }))
    : await loadApproved(found, settings.integrity, options, files);
  const faults = definitionFaults(loaded);
  if (faults.length > 0) throw new StartupError(faults.join('\n'), faults);
  checkPermissionsDeclared(
    loaded.flatMap(({ definition }) => definition.routes ?? []),
    loaded.flatMap(({ definition }) => definition.permissions ?? []),
  );
  const off = found.filter(({ enabled }) => !enabled).map(({ id }) => id);
  const plugins = inBootOrder(loaded, off);
  const sections = [...coreSettings, ...plugins.flatMap(({ definition }) => definition.config ?? [])];
  const configuration = configure(options, files, sections, { ignoredSections: off });
  return { plugins, found, configuration };
}

/** Every plugin that is there, approved or not; none of their code is loaded. */
export async function findPlugins(options: PlanOptions): Promise<readonly FoundPlugin[]> {
  return discover(selectionOf(options, await ownFiles(options.env)), options.cwd);
}

function selectionOf(options: PlanOptions, files: readonly YamlFile[]): PluginsSettings {
  return configure(options, files, [PluginsSettings], { lenient: true }).valuesOf(PluginsSettings);
}

async function loadApproved(
  found: readonly FoundPlugin[],
  integrity: readonly string[],
  options: PlanOptions,
  files: readonly YamlFile[],
): Promise<readonly LoadedPlugin[]> {
  // An entry that was passed over for a slip of the pen must not let code in.
  if (found.some((plugin) => plugin.enabled && isFromOutside(plugin))) {
    configure(options, files, coreSettings, { ignoredSections: found.map(({ id }) => id) });
  }
  checkIntegrity(found, integrity);
  return load(found);
}

/** The operator's file. What reads YAML is loaded only when there is one: it would be a tenth of the start. */
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

function asFound(definition: PluginDefinition): FoundPlugin {
  return { id: definition.id, origin: 'given', enabled: true, folder: '', entry: '' };
}

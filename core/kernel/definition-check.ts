import semver from 'semver';
import { defaultComplaints } from '../config/default-check.ts';
import { environmentName, type Settings } from '../config/settings.ts';
import { ownerOf } from '../di/token.ts';
import { coreProblems } from '../errors/core-problem-list.ts';
import type { Fault } from '../errors/startup-error.ts';
import { EventFailuresMetric } from '../events/event-bus.ts';
import { httpMetrics } from '../http/request-log.ts';
import type { MetricDeclaration } from '../telemetry/metrics.ts';
import { metricFault } from '../telemetry/prometheus.ts';
import { coreSettings } from './core-settings.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { jobFaults } from './jobs/job-check.ts';
import { operationMetrics } from './operation-metrics.ts';
import { pageFaults } from './pages/page-check.ts';
import { API_VERSION, type PluginDefinition } from './plugin.ts';
import { shapeFaults } from './shape-check.ts';

const sections = coreSettings.map(({ section }) => section);
const variables = coreSettings.flatMap(variablesOf);
const problems = coreProblems.map(({ code }) => code);
const metrics = [EventFailuresMetric, ...httpMetrics, ...operationMetrics].map(({ name }) => name);

/** Names that are reserved for the metrics of the process and of its workers. */
const KERNEL_METRICS = /^(process|nodejs|vitrine_workers)_|^vitrine_workers$/;

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Checks the definitions one by one and together; every fault is a sentence that names the plugin. */
export function definitionFaults(plugins: readonly LoadedPlugin[]): readonly Fault[] {
  const single = plugins.flatMap((plugin) =>
    singleFaults(plugin).map((message) => ({ message, plugin: plugin.definition.id })),
  );
  const definitions = plugins
    .map(({ definition }) => definition)
    .filter(({ id }) => !single.some(({ plugin }) => plugin === id));
  return [
    ...single,
    ...clashes('id', sections, definitions, ({ id }) => [id]),
    ...clashes('problem', problems, definitions, (plugin) => plugin.problems?.map(({ code }) => code) ?? []),
    ...clashes('command', KERNEL_COMMANDS, definitions, commandNames),
    ...clashes('environment variable', variables, definitions, ({ config }) =>
      config ? variablesOf(config) : [],
    ),
    ...clashes('metric', metrics, definitions, (plugin) => plugin.metrics?.map(({ name }) => name) ?? []),
  ];
}

/** The environment variables that settings are read from. */
function variablesOf({ section, settings }: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([key, setting]) => {
    const name = environmentName(section, key, setting);
    return setting.secret ? [name, `${name}_FILE`] : [name];
  });
}

/** The names of the commands, and of the groups that they form. */
function commandNames({ commands = [] }: PluginDefinition): readonly string[] {
  const names = commands.map(({ name }) => name);
  const groups = names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]!);
  return [...new Set(groups), ...names];
}

function singleFaults({ definition, found }: LoadedPlugin): string[] {
  // The compiler and the tests check built-in plugins.
  const isOurs = found.origin === 'built-in';
  const misshapen = isOurs ? [] : shapeFaults(definition);
  const sentences =
    misshapen.length > 0
      ? misshapen
      : [
          ...ownFaults(definition),
          ...(definition.metrics ?? []).flatMap(metricFaults),
          ...jobFaults(definition.jobs ?? []),
          ...pageFaults(definition),
          ...(isOurs ? [] : defaultFaults(definition)),
        ];
  return sentences.map((sentence) => `Plugin "${definition.id}": ${sentence}`);
}

function defaultFaults({ config }: PluginDefinition): string[] {
  return config ? defaultComplaints(config) : [];
}

function ownFaults(plugin: PluginDefinition): string[] {
  const faults: string[] = [];
  const report = (sentence: string): void => void faults.push(sentence);
  if (!ID.test(plugin.id) || plugin.id === 'core')
    report('the id must be lower case with single hyphens, and not "core".');
  if (!semver.valid(plugin.version)) report(`the version "${plugin.version}" is not a semantic version.`);
  if (!semver.validRange(plugin.api))
    report(`the contract range "${plugin.api}" is not a semantic version range.`);
  else if (!semver.satisfies(API_VERSION, plugin.api)) {
    report(
      `it was written for contract ${plugin.api}, and this is ${API_VERSION}. Install a release of the plugin for this contract.`,
    );
  }
  if (plugin.config && plugin.config.section !== plugin.id) {
    report(`its settings have the section "${plugin.config.section}"; it must be "${plugin.id}".`);
  }
  for (const { id } of [
    ...(plugin.opens ?? []),
    ...(plugin.events?.emits ?? []),
    ...(plugin.permissions ?? []),
  ]) {
    if (ownerOf({ id }) !== plugin.id) report(`"${id}" must begin with "${plugin.id}:".`);
  }
  const names = (plugin.migrations ?? []).map(({ name }) => name);
  if (new Set(names).size !== names.length) report('two migrations have the same name.');
  if ([...names].sort().join() !== names.join())
    report('its migrations are not in the order of their names.');
  return faults;
}

function metricFaults(metric: MetricDeclaration): string[] {
  if (KERNEL_METRICS.test(metric.name)) {
    return [`the name of the metric "${metric.name}" is reserved for process metrics. Rename it.`];
  }
  const fault = metricFault(metric);
  return fault === undefined ? [] : [`the metric "${metric.name}" cannot be declared: ${fault}.`];
}

function clashes(
  kind: string,
  takenByKernel: readonly string[],
  definitions: readonly PluginDefinition[],
  namesOf: (definition: PluginDefinition) => readonly string[],
): Fault[] {
  const owners = new Map<string, string | undefined>(takenByKernel.map((name) => [name, undefined]));
  const faults: Fault[] = [];
  for (const definition of definitions) {
    for (const name of namesOf(definition)) {
      if (owners.has(name)) faults.push(clash(kind, name, definition.id, owners.get(name)));
      else owners.set(name, definition.id);
    }
  }
  return faults;
}

/** A name that two plugins or one plugin twice declare, or that the kernel declares when there is no owner. */
function clash(kind: string, name: string, id: string, owner: string | undefined): Fault {
  const declares = `Plugin "${id}" declares the ${kind} "${name}"`;
  if (owner === undefined) {
    return { plugin: id, message: `${declares}, which the kernel has. It must choose another.` };
  }
  if (owner === id) return { plugin: id, message: `${declares} twice. Rename one of the two.` };
  return {
    message: `${declares}, which "${owner}" declares already. Rename it in one of them, or switch one off (plugins.disabled, PLUGINS_DISABLED).`,
  };
}

/** The commands of `vitrine` that the kernel provides; plugins add others. */
export const KERNEL_COMMANDS: readonly string[] = [
  'backup',
  'config',
  'doctor',
  'help',
  'jobs',
  'migrate',
  'move',
  'openapi',
  'plugin',
  'plugins',
  'restore',
  'start',
];

import semver from 'semver';
import { coreProblems } from '../errors/problems.ts';
import { ownerOf } from '../di/token.ts';
import type { LoadedPlugin } from './found-plugin.ts';
import { API_VERSION, type PluginDefinition } from './plugin.ts';

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Checks each definition on its own and all together; every fault is one sentence that names the plugin. */
export function definitionFaults(plugins: readonly LoadedPlugin[]): readonly string[] {
  const definitions = plugins.map(({ definition }) => definition);
  return [
    ...definitions.flatMap(singleFaults),
    ...problemClashes(definitions),
    ...commandClashes(definitions),
  ];
}

function singleFaults(plugin: PluginDefinition): string[] {
  const faults: string[] = [];
  const say = (sentence: string): void => void faults.push(`Plugin "${plugin.id}": ${sentence}`);
  if (!ID.test(plugin.id) || plugin.id === 'core')
    say('the id must be lower case with single hyphens, and not "core".');
  if (!semver.valid(plugin.version)) say(`the version "${plugin.version}" is not a semantic version.`);
  if (!semver.validRange(plugin.api))
    say(`the contract range "${plugin.api}" is not a semantic version range.`);
  else if (!semver.satisfies(API_VERSION, plugin.api)) {
    say(
      `it was written for contract ${plugin.api}, and this is ${API_VERSION}. Install a release of the plugin for this contract.`,
    );
  }
  if (plugin.config && plugin.config.section !== plugin.id) {
    say(`its settings have the section "${plugin.config.section}"; it must be "${plugin.id}".`);
  }
  for (const { id } of [
    ...(plugin.opens ?? []),
    ...(plugin.events?.emits ?? []),
    ...(plugin.permissions ?? []),
  ]) {
    if (ownerOf({ id }) !== plugin.id) say(`"${id}" must begin with "${plugin.id}:".`);
  }
  const names = (plugin.migrations ?? []).map(({ name }) => name);
  if (new Set(names).size !== names.length) say('two migrations have the same name.');
  if ([...names].sort().join() !== names.join()) say('its migrations are not in the order of their names.');
  return faults;
}

function problemClashes(definitions: readonly PluginDefinition[]): string[] {
  const owners = new Map(coreProblems.map(({ code }) => [code, 'core']));
  const faults: string[] = [];
  for (const { id, problems } of definitions) {
    for (const { code } of problems ?? []) {
      const owner = owners.get(code);
      if (owner)
        faults.push(`Plugin "${id}" declares the problem "${code}", which "${owner}" declares already.`);
      owners.set(code, id);
    }
  }
  return faults;
}

function commandClashes(definitions: readonly PluginDefinition[]): string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const { id, commands } of definitions) {
    for (const { name } of commands ?? []) {
      const owner = owners.get(name);
      if (owner)
        faults.push(`Plugin "${id}" declares the command "${name}", which "${owner}" declares already.`);
      owners.set(name, id);
    }
  }
  return faults;
}

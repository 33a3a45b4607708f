import type { Fault } from '../errors/startup-error.ts';
import type { Module } from './module.ts';
import { ownerOf, type Dependencies, type Dependency } from './token.ts';

interface Named {
  /** `<plugin>:<name>`. */
  readonly id: string;
}

/**
 * Finds wiring errors before any service is created: tokens bound twice, undeclared use of what other plugins have, and what
 * no plugin provides. Each message names the plugin and the token.
 */
export function wiringFaults(modules: readonly Module[]): readonly Fault[] {
  const faults: Fault[] = [];
  /** The plugin that binds a token. */
  const services = new Map<string, string>();
  const values = new Set<string>();
  for (const module of modules) {
    for (const { token } of module.values) values.add(token.id);
    for (const { token } of module.services) {
      const first = services.get(token.id);
      if (first !== undefined)
        faults.push({ message: `The token "${token.id}" is bound by "${first}" and by "${module.plugin}".` });
      else if (ownerOf(token) !== module.plugin) {
        faults.push({
          plugin: module.plugin,
          message: `Plugin "${module.plugin}" binds "${token.id}", which belongs to "${ownerOf(token)}".`,
        });
      } else services.set(token.id, module.plugin);
    }
  }
  const provided = (id: string): boolean => services.has(id) || values.has(id);
  for (const module of modules) {
    const own = [...usageFaults(module, provided), ...lostFaults(module, modules)];
    faults.push(...own.map((message) => ({ message, plugin: module.plugin })));
  }
  return faults;
}

function usageFaults(module: Module, provided: (id: string) => boolean): string[] {
  const faults: string[] = [];
  const declared = new Set(['core', module.plugin, ...module.requires, ...module.optional]);
  const check = (user: string, name: string, dependency: Dependency | undefined): void => {
    if (dependency?.kind === undefined) {
      faults.push(
        `Plugin "${module.plugin}": ${user} has a dependency "${name}" that is no token. Is it imported?`,
      );
      return;
    }
    const { id } = dependency;
    const owner = ownerOf(dependency);
    const mayBeAbsent = dependency.kind === 'optional' || dependency.kind === 'extension-point';
    if (!declared.has(owner)) {
      faults.push(
        `Plugin "${module.plugin}": ${user} uses "${id}" but "${owner}" is not among its requires or optional.`,
      );
    } else if (!mayBeAbsent && module.optional.includes(owner)) {
      faults.push(
        `Plugin "${module.plugin}": ${user} uses "${id}" of the optional plugin "${owner}"; wrap it in optional(…).`,
      );
    } else if (dependency.kind === 'token' && !provided(id)) {
      faults.push(`Plugin "${module.plugin}": ${user} needs "${id}", which no plugin provides.`);
    }
  };
  const users = [
    ...module.services.map(({ token, deps }) => ({ name: `service "${token.id}"`, deps })),
    ...module.contributions.map(({ to, deps }) => ({ name: `its contribution to "${to.id}"`, deps })),
    ...module.users,
  ];
  for (const { name, deps } of users) {
    if ((deps as Dependencies | undefined) === undefined) {
      faults.push(`Plugin "${module.plugin}": ${name} does not say its deps. Write deps: {} for none.`);
      continue;
    }
    for (const [key, dependency] of Object.entries(deps)) check(name, key, dependency);
  }
  for (const { to } of module.contributions) check('a contribution', 'to', to);
  for (const event of module.listensTo) {
    const owner = ownerOf(event);
    if (declared.has(owner)) continue;
    faults.push(
      `Plugin "${module.plugin}" listens to "${event.id}" but "${owner}" is not among its requires or optional.`,
    );
  }
  return faults;
}

/** Extension points and events that their owner does not have. An owner that is not enabled is no fault. */
function lostFaults({ plugin, contributions, listensTo }: Module, modules: readonly Module[]): string[] {
  const lost = (
    { id }: Named,
    namesOf: (owner: Module) => readonly Named[],
    sentence: (owner: string, names: string) => string,
  ): string[] => {
    const owner = modules.find((module) => module.plugin === ownerOf({ id }));
    const names = owner && namesOf(owner).map((named) => named.id);
    if (!names || names.includes(id)) return [];
    return [sentence(owner.plugin, names.map((name) => `"${name}"`).join(', ') || 'none')];
  };
  return [
    ...contributions.flatMap(({ to }) =>
      lost(
        to,
        ({ opens }) => opens,
        (owner, names) =>
          `Plugin "${plugin}" contributes to "${to.id}", which "${owner}" does not open. Its extension points are: ${names}.`,
      ),
    ),
    ...listensTo.flatMap((event) =>
      lost(
        event,
        ({ emits }) => emits,
        (owner, names) =>
          `Plugin "${plugin}" listens to "${event.id}", which "${owner}" does not emit. Its events are: ${names}.`,
      ),
    ),
  ];
}

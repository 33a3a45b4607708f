import type { Module } from './module.ts';
import { ownerOf, type Dependencies, type Dependency } from './token.ts';

interface Node {
  readonly plugin: string;
  readonly id: string;
  readonly deps: Dependencies;
}

/** A fault in the wiring of the plugins. */
export interface WiringFault {
  readonly message: string;
  /** The plugin at fault; `undefined` when it is not a particular one. */
  readonly plugin?: string;
}

/**
 * Finds every wiring error before any service is created: tokens bound twice, undeclared use of other plugins' tokens,
 * tokens that no plugin provides, and cycles. Each message names the plugin, the token and the chain.
 */
export function wiringFaults(modules: readonly Module[]): readonly WiringFault[] {
  const faults: WiringFault[] = [];
  const services = new Map<string, Node>();
  const values = new Set<string>();
  for (const module of modules) {
    for (const { token } of module.values) values.add(token.id);
    for (const { token, deps } of module.services) {
      const first = services.get(token.id);
      if (first)
        faults.push({
          message: `The token "${token.id}" is bound by "${first.plugin}" and by "${module.plugin}".`,
        });
      else if (ownerOf(token) !== module.plugin) {
        faults.push({
          plugin: module.plugin,
          message: `Plugin "${module.plugin}" binds "${token.id}", which belongs to "${ownerOf(token)}".`,
        });
      } else services.set(token.id, { plugin: module.plugin, id: token.id, deps });
    }
  }
  const provided = (id: string): boolean => services.has(id) || values.has(id);
  for (const module of modules) {
    const own = [...usageFaults(module, provided), ...lostFaults(module, modules)];
    faults.push(...own.map((message) => ({ message, plugin: module.plugin })));
  }
  faults.push(...cycleFaults(modules, services).map((message) => ({ message })));
  return faults;
}

function usageFaults(module: Module, provided: (id: string) => boolean): string[] {
  const faults: string[] = [];
  const known = new Set(['core', module.plugin, ...module.requires]);
  const check = (user: string, name: string, dependency: Dependency | undefined): void => {
    if (dependency?.kind === undefined) {
      faults.push(
        `Plugin "${module.plugin}": ${user} has a dependency "${name}" that is no token. Is it imported?`,
      );
      return;
    }
    const target = dependency.kind === 'optional' ? dependency.token : dependency;
    const owner = ownerOf(target);
    const mayBeAbsent = dependency.kind === 'optional' || dependency.kind === 'extension-point';
    if (!known.has(owner) && !module.optional.includes(owner)) {
      faults.push(
        `Plugin "${module.plugin}": ${user} uses "${target.id}" but "${owner}" is not among its requires or optional.`,
      );
    } else if (!mayBeAbsent && module.optional.includes(owner)) {
      faults.push(
        `Plugin "${module.plugin}": ${user} uses "${target.id}" of the optional plugin "${owner}"; wrap it in optional(…).`,
      );
    } else if (dependency.kind === 'token' && !provided(target.id)) {
      faults.push(`Plugin "${module.plugin}": ${user} needs "${target.id}", which no plugin provides.`);
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
  return faults;
}

/** Contributions to extension points that their owner does not define. An owner that is not enabled is no fault. */
function lostFaults({ plugin, contributions }: Module, modules: readonly Module[]): string[] {
  return contributions.flatMap(({ to }) => {
    const owner = modules.find((module) => module.plugin === ownerOf(to));
    if (!owner || owner.opens.some(({ id }) => id === to.id)) return [];
    const open = owner.opens.map(({ id }) => `"${id}"`).join(', ') || 'none';
    return [
      `Plugin "${plugin}" contributes to "${to.id}", which "${owner.plugin}" does not open. Its extension points are: ${open}.`,
    ];
  });
}

/** The tokens among the dependencies; another check reports values that are not tokens. */
function tokensIn(deps: Dependencies | undefined): Dependency[] {
  return Object.values(deps ?? {}).filter(
    (dependency) => (dependency as Dependency | undefined)?.kind !== undefined,
  );
}

function cycleFaults(modules: readonly Module[], services: ReadonlyMap<string, Node>): string[] {
  const contributions = new Map<string, Dependencies[]>();
  for (const { to, deps } of modules.flatMap((module) => module.contributions)) {
    contributions.set(to.id, [...(contributions.get(to.id) ?? []), deps]);
  }
  const dependenciesOf = (id: string): Dependency[] => [
    ...tokensIn(services.get(id)?.deps ?? {}),
    ...(contributions.get(id) ?? []).flatMap(tokensIn),
  ];
  const faults: string[] = [];
  const done = new Set<string>();
  const visit = (id: string, chain: readonly string[]): void => {
    if (chain.includes(id)) {
      faults.push(
        `Services need each other in a circle: ${[...chain.slice(chain.indexOf(id)), id].join(' → ')}.`,
      );
      return;
    }
    if (done.has(id)) return;
    for (const next of dependenciesOf(id))
      visit(next.kind === 'optional' ? next.token.id : next.id, [...chain, id]);
    done.add(id);
  };
  for (const id of services.keys()) visit(id, []);
  return faults;
}

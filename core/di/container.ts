import { Container, ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { StartupError } from '../errors/startup-error.ts';
import type { BoundValue, Module } from './module.ts';
import type { Contribution } from './service.ts';
import type { Dependencies, Dependency, Token } from './token.ts';
import { wiringFaults } from './wiring-check.ts';

/** The wired services. It stays in the kernel: plugins are handed what they declared, never the container. */
export interface Wiring {
  get<T>(token: Token<T>): T;
  /** Resolves the dependencies of something that `plugin` declared. */
  resolve(plugin: string, deps: Dependencies): Readonly<Record<string, unknown>>;
}

interface OrderedContribution extends Contribution {
  readonly plugin: string;
  readonly symbol: symbol;
}

const symbolOf = (id: string, plugin?: string): symbol =>
  Symbol.for(`vitrine:${id}${plugin ? `@${plugin}` : ''}`);

/**
 * Checks the wiring, binds each plugin as one inversify `ContainerModule`, and makes every singleton, in boot order.
 * Throws `StartupError` that names the plugin, the token and the chain.
 */
export function wire(modules: readonly Module[]): Wiring {
  const faults = wiringFaults(modules);
  if (faults.length > 0) {
    throw new StartupError(
      `The plugins cannot be wired together:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
      faults,
    );
  }
  const own = new Set<string>();
  for (const module of modules) {
    for (const value of module.values) if (value.own) own.add(`${value.token.id}@${module.plugin}`);
  }
  const identify = (plugin: string, dependency: Dependency) => {
    if (dependency.kind === 'optional') {
      return { serviceIdentifier: symbolOf(dependency.token.id), optional: true as const };
    }
    return symbolOf(dependency.id, own.has(`${dependency.id}@${plugin}`) ? plugin : undefined);
  };
  const container = new Container();
  const contributions = orderedContributions(modules);
  for (const module of modules) container.load(moduleOf(module, contributions, identify));
  container.load(pointsOf(modules, contributions));
  makeAll(container, modules);
  return {
    get: <T>(token: Token<T>): T => container.get<T>(symbolOf(token.id)),
    resolve: (plugin, deps) =>
      Object.fromEntries(
        Object.entries(deps).map(([name, dependency]) => {
          const target = identify(plugin, dependency);
          return typeof target === 'symbol'
            ? [name, container.get(target)]
            : [name, container.get(target.serviceIdentifier, { optional: true })];
        }),
      ),
  };
}

function orderedContributions(modules: readonly Module[]): readonly OrderedContribution[] {
  return modules
    .flatMap((module) =>
      module.contributions.map((contribution, index) => ({
        ...contribution,
        plugin: module.plugin,
        symbol: symbolOf(`${contribution.to.id}#${index}`, module.plugin),
      })),
    )
    .sort((a, b) => a.order - b.order);
}

type Identify = (
  plugin: string,
  dependency: Dependency,
) => symbol | { serviceIdentifier: symbol; optional: true };

function moduleOf(
  module: Module,
  contributions: readonly OrderedContribution[],
  identify: Identify,
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const { token, value, own } of module.values as BoundValue[]) {
      bind(symbolOf(token.id, own ? module.plugin : undefined)).toConstantValue(value);
    }
    const make = (symbol: symbol, deps: Dependencies, create: (deps: never) => unknown): void => {
      const names = Object.keys(deps);
      const factory = (...made: unknown[]): unknown =>
        create(Object.fromEntries(names.map((name, index) => [name, made[index]])) as never);
      bind(symbol)
        .toResolvedValue(
          factory,
          Object.values(deps).map((dependency) => identify(module.plugin, dependency)) as never,
        )
        .inSingletonScope();
    };
    for (const { token, deps, create } of module.services) make(symbolOf(token.id), deps, create);
    for (const { plugin, symbol, deps, create } of contributions)
      if (plugin === module.plugin) make(symbol, deps, create);
  });
}

/** Binds each extension point to the ordered list of what was contributed; one that nobody fills is `[]`. */
function pointsOf(
  modules: readonly Module[],
  contributions: readonly OrderedContribution[],
): ContainerModule {
  const ids = new Set(contributions.map(({ to }) => to.id));
  const asked = modules.flatMap((module) => [...module.services, ...module.contributions, ...module.users]);
  for (const { deps } of asked) {
    for (const dependency of Object.values(deps))
      if (dependency.kind === 'extension-point') ids.add(dependency.id);
  }
  return new ContainerModule(({ bind }: ContainerModuleLoadOptions) => {
    for (const id of ids) {
      const filled = contributions.filter(({ to }) => to.id === id).map(({ symbol }) => symbol);
      bind(symbolOf(id))
        .toResolvedValue((...entries: unknown[]) => Object.freeze(entries), filled as never)
        .inSingletonScope();
    }
  });
}

function makeAll(container: Container, modules: readonly Module[]): void {
  for (const module of modules) {
    for (const { token } of module.services) {
      try {
        container.get(symbolOf(token.id));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new StartupError(
          `Plugin "${module.plugin}" could not make its service "${token.id}": ${reason}`,
          [],
          { cause: error },
        );
      }
    }
  }
}

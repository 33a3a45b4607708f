import { Container, ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { StartupError, type Fault } from '../errors/startup-error.ts';
import { checkEntry, refuseSharedKeys } from './entry-checks.ts';
import type { BoundValue, Module } from './module.ts';
import type { Contribution } from './service.ts';
import { ownerOf, type Dependencies, type Dependency, type ExtensionPoint, type Token } from './token.ts';
import { wiringFaults } from './wiring-check.ts';

/** The wired services. Only the kernel uses it: plugins receive their declared dependencies, never the container. */
export interface Wiring {
  get<T>(token: Token<T>): T;
  /** Resolves dependencies that `plugin` declared. */
  resolve(plugin: string, deps: Dependencies): Readonly<Record<string, unknown>>;
}

/** The plugins at fault; none when one of the faults belongs to no particular plugin. */
function pluginsAtFault(faults: readonly Fault[]): readonly string[] {
  const plugins = faults.map(({ plugin }) => plugin);
  return plugins.some((plugin) => plugin === undefined) ? [] : [...new Set(plugins as string[])];
}

interface OrderedContribution extends Contribution {
  readonly plugin: string;
  readonly symbol: symbol;
}

const symbolOf = (id: string, plugin?: string): symbol =>
  Symbol.for(`vitrine:${id}${plugin ? `@${plugin}` : ''}`);

/**
 * Checks the wiring, binds each plugin as one inversify `ContainerModule`, and creates every singleton in boot order.
 * Throws `StartupError` that names the plugin, the token and the chain.
 */
export function wire(modules: readonly Module[]): Wiring {
  const faults = wiringFaults(modules);
  if (faults.length > 0) {
    throw new StartupError(
      `The plugins cannot be wired together:\n${faults.map(({ message }) => `  - ${message}`).join('\n')}`,
      faults,
      { plugins: pluginsAtFault(faults) },
    );
  }
  const own = new Set<string>();
  for (const module of modules) {
    for (const value of module.values) if (value.own) own.add(`${value.token.id}@${module.plugin}`);
  }
  const injectionOf: InjectionOf = (plugin, { kind, id }) => ({
    serviceIdentifier: symbolOf(id, own.has(`${id}@${plugin}`) ? plugin : undefined),
    optional: kind === 'optional',
  });
  const container = new Container();
  const contributions = orderedContributions(modules);
  for (const module of modules) container.load(moduleOf(module, contributions, injectionOf));
  const points = pointsOf(modules);
  container.load(pointsModule(points, contributions));
  const services = modules.flatMap((module) => module.services.map(({ token }) => token.id));
  makeAll(container, [...services, ...points.keys()]);
  return {
    get: <T>(token: Token<T>): T => {
      if (container.isBound(symbolOf(token.id))) return container.get<T>(symbolOf(token.id));
      throw new Error(
        `Nothing provides "${token.id}" here. Is the plugin "${ownerOf(token)}" among those that were started?`,
      );
    },
    resolve: (plugin, deps) =>
      Object.fromEntries(
        Object.entries(deps).map(([name, dependency]) => {
          const { serviceIdentifier, optional } = injectionOf(plugin, dependency);
          return [name, container.get(serviceIdentifier, { optional })];
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

/** Under which symbol a plugin gets a dependency. */
type InjectionOf = (
  plugin: string,
  dependency: Dependency,
) => { readonly serviceIdentifier: symbol; readonly optional: boolean };

function moduleOf(
  module: Module,
  contributions: readonly OrderedContribution[],
  injectionOf: InjectionOf,
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const { token, value, own } of module.values as BoundValue[]) {
      bind(symbolOf(token.id, own ? module.plugin : undefined)).toConstantValue(value);
    }
    const make = (
      what: string,
      symbol: symbol,
      { deps, create }: Pick<Contribution, 'deps' | 'create'>,
      point?: ExtensionPoint<unknown>,
    ): void => {
      const names = Object.keys(deps);
      const factory = (...made: unknown[]): unknown => {
        try {
          const value = create(Object.fromEntries(names.map((name, index) => [name, made[index]])) as never);
          if (value instanceof Promise)
            throw new Error('"create" answered a promise. Make it at once, and wait in "start".');
          if (point) checkEntry(value, point);
          return value;
        } catch (error) {
          throw notMade(module.plugin, what, error);
        }
      };
      bind(symbol)
        .toResolvedValue(
          factory,
          Object.values(deps).map((dependency) => injectionOf(module.plugin, dependency)) as never,
        )
        .inSingletonScope();
    };
    for (const service of module.services)
      make(`its service "${service.token.id}"`, symbolOf(service.token.id), service);
    for (const contribution of contributions)
      if (contribution.plugin === module.plugin)
        make(
          `its contribution to "${contribution.to.id}"`,
          contribution.symbol,
          contribution,
          contribution.to,
        );
  });
}

/** The extension points that plugins open or use, by id. */
function pointsOf(modules: readonly Module[]): ReadonlyMap<string, ExtensionPoint<unknown>> {
  const opened = modules.flatMap(({ opens }) => opens);
  // A point of an optional plugin that is absent is an empty list as well.
  const asked = modules
    .flatMap((module) => [...module.services, ...module.contributions, ...module.users])
    .flatMap(({ deps }) => Object.values(deps))
    .filter((dependency) => dependency.kind === 'extension-point');
  return new Map([...asked, ...opened].map((point) => [point.id, point]));
}

/** Binds each extension point to the ordered list of its contributions, `[]` without any. */
function pointsModule(
  points: ReadonlyMap<string, ExtensionPoint<unknown>>,
  contributions: readonly OrderedContribution[],
): ContainerModule {
  return new ContainerModule(({ bind }: ContainerModuleLoadOptions) => {
    for (const [id, point] of points) {
      const filled = contributions.filter(({ to }) => to.id === id);
      const list = (...entries: unknown[]): readonly unknown[] => {
        refuseSharedKeys(point, entries, filled);
        return Object.freeze(entries);
      };
      bind(symbolOf(id))
        .toResolvedValue(list, filled.map(({ symbol }) => symbol) as never)
        .inSingletonScope();
    }
  });
}

function makeAll(container: Container, ids: readonly string[]): void {
  for (const id of ids) {
    try {
      container.get(symbolOf(id));
    } catch (error) {
      throw error instanceof StartupError ? error : notWired(error as Error);
    }
  }
}

/** What inversify finds, such as services that need each other in a circle, with our names for them. */
function notWired(error: Error): StartupError {
  const reason = error.message.replaceAll(/Symbol\(vitrine:([^)]*)\)/g, '$1').replaceAll('->', '→');
  return new StartupError(`The plugins cannot be wired together: ${reason}`, [], { cause: error });
}

/** Names the service that failed, not those that depend on it. */
function notMade(plugin: string, what: string, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartupError(`Plugin "${plugin}" could not make ${what}: ${reason}`, [], {
    cause: error,
    plugins: [plugin],
  });
}

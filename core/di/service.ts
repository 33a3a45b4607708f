import type { Dependencies, ExtensionPoint, Resolved, Token } from './token.ts';

/** A singleton: a token, its dependencies by name, and a factory. Made once, at boot. */
export interface Service {
  readonly token: Token<unknown>;
  readonly deps: Dependencies;
  readonly create: (deps: never) => unknown;
}

/** An entry that a plugin puts into an extension point. */
export interface Contribution {
  readonly to: ExtensionPoint<unknown>;
  readonly deps: Dependencies;
  readonly create: (deps: never) => unknown;
  /** Lower comes first; ties by boot order of the plugins. Default 0. */
  readonly order: number;
}

/** Declares a service; the compiler checks that the factory fits the token and its dependencies. */
export function service<T, D extends Dependencies>(definition: {
  readonly token: Token<T>;
  readonly deps: D;
  readonly create: (deps: Resolved<D>) => NoInfer<T>;
}): Service {
  return definition as unknown as Service;
}

/** Declares an entry for an extension point. */
export function contribute<T, D extends Dependencies>(
  to: ExtensionPoint<T>,
  definition: {
    readonly deps: D;
    readonly create: (deps: Resolved<D>) => NoInfer<T>;
    readonly order?: number;
  },
): Contribution {
  return { to, deps: definition.deps, create: definition.create as never, order: definition.order ?? 0 };
}

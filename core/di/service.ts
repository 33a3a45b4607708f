import type { Dependencies, ExtensionPoint, Resolved, Token } from './token.ts';

/** A singleton: a token, its dependencies by name, and a factory. Created once, at boot. */
export interface Service {
  readonly token: Token<unknown>;
  readonly deps: Dependencies;
  readonly create: (deps: never) => unknown;
}

/** A contribution of a plugin to an extension point. */
export interface Contribution {
  readonly to: ExtensionPoint<unknown>;
  readonly deps: Dependencies;
  readonly create: (deps: never) => unknown;
  /** Lower comes first; ties are in the boot order of the plugins. Default 0. */
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

/** Declares a contribution to an extension point. */
export function contribute<const T, D extends Dependencies>(
  to: ExtensionPoint<T>,
  definition: {
    readonly deps: D;
    readonly create: (deps: Resolved<D>) => NoInfer<T>;
    readonly order?: number;
  },
): Contribution {
  return { to, deps: definition.deps, create: definition.create as never, order: definition.order ?? 0 };
}

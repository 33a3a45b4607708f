import type { Contribution, Service } from './service.ts';
import type { Dependencies, ExtensionPoint, Token } from './token.ts';

/** Everything that one plugin (or the kernel, as `core`) provides and needs. */
export interface Module {
  readonly plugin: string;
  /** Plugins whose tokens this one may use, besides its own and those of `core`. */
  readonly requires: readonly string[];
  readonly optional: readonly string[];
  readonly services: readonly Service[];
  readonly opens: readonly ExtensionPoint<unknown>[];
  readonly contributions: readonly Contribution[];
  /** The events that it may emit, and those to which it listens. */
  readonly emits: readonly { readonly id: string }[];
  readonly listensTo: readonly { readonly id: string }[];
  /** Ready values: the kernel's own services, settings, the plugin's logger. */
  readonly values: readonly BoundValue[];
  /** Other parts that use tokens, such as routes, listeners, steps and checks; named for error messages. */
  readonly users: readonly { readonly name: string; readonly deps: Dependencies }[];
}

export interface BoundValue {
  readonly token: Token<unknown>;
  readonly value: unknown;
  /** Only this plugin receives the value; other plugins have their own under the same token. */
  readonly own?: boolean;
}

/** Binds a ready value. */
export function boundValue<T>(token: Token<T>, value: NoInfer<T>, own = false): BoundValue {
  return { token, value, own };
}

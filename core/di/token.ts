declare const carried: unique symbol;

/** Identifies a service and carries its type. Tokens with the same id identify the same service. */
export interface Token<T> {
  readonly kind: 'token';
  /** `<plugin>:<name>`. */
  readonly id: string;
  readonly [carried]?: T;
}

/** A dependency that resolves to `undefined` when its plugin is not enabled. */
export interface OptionalToken<T> {
  readonly kind: 'optional';
  readonly id: string;
  readonly [carried]?: T;
}

/** A typed list that one plugin defines and others contribute to. As a dependency it is the ordered list, `[]` when empty. */
export interface ExtensionPoint<T> {
  readonly kind: 'extension-point';
  /** `<plugin>:<name>`. */
  readonly id: string;
  /** What no two entries may share. */
  keysOf?(entry: T): readonly string[];
  /** What is wrong with an entry, as a predicate: `has the scheme "Grpc:"; write it in lower case, without the colon`. */
  faultOf?(entry: T): string | undefined;
  /** The functions that each entry has; `name?` may be missing. */
  readonly methods?: readonly string[];
  readonly [carried]?: T;
}

export type Dependency = Token<unknown> | OptionalToken<unknown> | ExtensionPoint<unknown>;

/** Dependencies by name. */
export type Dependencies = Readonly<Record<string, Dependency>>;

/** The type of the service of a token, or of an entry of an extension point: `ServiceOf<typeof TRACER>`. */
export type ServiceOf<D extends Token<unknown> | ExtensionPoint<unknown>> =
  D extends Token<infer T> ? T : D extends ExtensionPoint<infer T> ? T : never;

type ResolvedOne<D> =
  D extends Token<unknown>
    ? ServiceOf<D>
    : D extends OptionalToken<infer T>
      ? T | undefined
      : D extends ExtensionPoint<unknown>
        ? readonly ServiceOf<D>[]
        : never;

/** The argument of a factory: its resolved dependencies by name. */
export type Resolved<D extends Dependencies> = { readonly [K in keyof D]: ResolvedOne<D[K]> };

const ID = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;

function checked(id: string): string {
  if (!ID.test(id)) throw new Error(`"${id}" is not an id of the form "<plugin>:<name>" in lower case.`);
  return id;
}

/** Creates a token for a service. The part before the colon is the plugin that owns it. */
export function token<T>(id: string): Token<T> {
  return { kind: 'token', id: checked(id) };
}

/** Makes a dependency optional; list its plugin under `optional`. */
export function optional<T>(of: Token<T>): OptionalToken<T> {
  return { kind: 'optional', id: of.id };
}

/** The names of the functions of a type; `name?` of those that may be missing. */
type MethodOf<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends (...args: never) => unknown
    ? undefined extends T[K]
      ? `${K}?`
      : K
    : never;
}[keyof T & string];

/** How an extension point checks its entries at the start, since authors may write JavaScript. */
interface EntryChecks<T> extends Pick<ExtensionPoint<T>, 'keysOf' | 'faultOf'> {
  readonly methods?: readonly MethodOf<T>[];
}

/**
 * Creates an extension point. The part before the colon is the plugin that owns it. An entry without its `methods`, with what
 * `faultOf` tells, or with one of the `keysOf` an earlier entry stops the start, which names the plugin of the entry.
 */
export function extensionPoint<T>(id: string, checks: EntryChecks<T> = {}): ExtensionPoint<T> {
  return { kind: 'extension-point', id: checked(id), ...checks };
}

/** The plugin (or `core`) that owns a token or extension point. */
export function ownerOf(of: { readonly id: string }): string {
  return of.id.slice(0, of.id.indexOf(':'));
}

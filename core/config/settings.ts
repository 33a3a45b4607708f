import type { Static, TSchema } from 'typebox';
import { token, type Token } from '../di/token.ts';

interface CommonOptions {
  /** One sentence for the reference and the comment in `default.yaml`. */
  readonly description: string;
  /** The environment name; by default section and key in upper case: `gateway.rate_limit` is `GATEWAY_RATE_LIMIT`. */
  readonly env?: string | undefined;
  /** Never printed; may also come from the file named by `<ENV>_FILE`. */
  readonly secret?: boolean;
}

/** A setting has a default or is required: without a value the service does not start. */
export type SettingOptions<T> = CommonOptions &
  (
    | { readonly default: T; readonly required?: false }
    | { readonly required: true; readonly default?: undefined }
  );

/** One setting: its schema, default, environment name and description. */
export interface Setting<S extends TSchema = TSchema> extends CommonOptions {
  readonly schema: S;
  readonly default?: Static<S> | undefined;
  readonly required?: boolean;
}

/** Declares a setting. Strings, numbers, booleans, and arrays of strings (comma-separated in the environment). */
export function setting<S extends TSchema>(schema: S, options: SettingOptions<Static<S>>): Setting<S> {
  return { schema, ...options };
}

type Declared = Readonly<Record<string, Setting>>;
type Values<D extends Declared> = { readonly [K in keyof D]: Static<D[K]['schema']> };

/** Complaints about settings, each a predicate that continues after the name of the setting: `names no host`. */
export type Complaints<V> = { readonly [K in keyof V]?: string | undefined };

/** A section of the configuration: the settings of one plugin, or of one part of the kernel. */
export interface Settings<V = unknown> {
  /** The key in YAML: the plugin's id. */
  readonly section: string;
  readonly settings: Declared;
  /** Depend on this to receive the values. */
  readonly token: Token<V>;
  /** Checks that schemas cannot express, run on values that satisfy their schemas. The result must not contain secrets. */
  check?(values: V): Complaints<V>;
}

/** The values of a section: `type Limits = SettingsOf<typeof GatewaySettings>`. */
export type SettingsOf<S> = S extends Settings<infer V> ? V : never;

/**
 * Declares the settings of a plugin; `section` is the plugin's id. `check` finds faults that schemas cannot express, such
 * as a value that requires another one: it returns complaints by the key of the setting to change.
 */
export function defineSettings<D extends Declared>(
  section: string,
  settings: D,
  check?: (values: Values<D>) => Complaints<Values<D>>,
): Settings<Values<D>> {
  return { section, settings, token: token<Values<D>>(`${section}:settings`), ...(check && { check }) };
}

/** The environment name of a setting. */
export function environmentName(section: string, key: string, { env }: Setting): string {
  return env ?? `${section}_${key}`.replaceAll('-', '_').toUpperCase();
}

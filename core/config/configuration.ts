import { isDeepStrictEqual } from 'node:util';
import { environmentName, type Setting, type Settings } from './settings.ts';

/** The effective value of a setting, for `vitrine config print`. */
export interface ConfigurationEntry {
  readonly section: string;
  readonly key: string;
  /** Secrets: `********` when set, `null` when not. Credentials in addresses are masked as well. */
  readonly value: unknown;
  /** `default`, a position such as `config/default.yaml:12`, an environment name, or `override`. */
  readonly source: string;
  /** Whether it differs from the default. */
  readonly changed: boolean;
  readonly env: string;
  readonly description: string;
}

/** A value of a setting, and where it was found. */
export interface PlacedValue {
  readonly section: string;
  readonly key: string;
  readonly value: unknown;
  /** `default`, `config/default.yaml:12`, `environment SERVER_PORT` or `override`. */
  readonly place: string;
  /** The file from which it was read, if any. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Section → key → value. */
export type PlacedValues = ReadonlyMap<string, ReadonlyMap<string, PlacedValue>>;

/** The settings of this installation, checked and complete. */
export interface Configuration {
  /** The values of a section that was loaded. */
  valuesOf<V>(settings: Settings<V>): V;
  entries(): readonly ConfigurationEntry[];
  /** The files from which secrets were read, without duplicates. */
  secretFiles(): readonly string[];
}

export const MASK = '********';

/**
 * The user and the password in an address: `https://ada:hush@example.org`. An unescaped @ may be a part of the password, and
 * so may a /, ? or #: then what seems to be the port is no number.
 */
const CREDENTIALS = /(?<=:\/\/)(?:[^\s/?#]+|(?!\[)[^\s/?#]*:(?!\d*(?:[\s/?#]|$))\S+)(?=@)/g;

/** Creates a configuration from checked values. */
export function configurationOf(sections: readonly Settings[], values: PlacedValues): Configuration {
  const frozen = new Map(sections.map(({ section }) => [section, plainValues(values.get(section))]));
  return {
    valuesOf<V>(settings: Settings<V>): V {
      const found = frozen.get(settings.section);
      if (!found) throw new Error(`The section "${settings.section}" of the configuration was not loaded.`);
      return found as V;
    },
    entries: () =>
      sections.flatMap(({ section, settings }) =>
        Object.entries(settings).map(([key, setting]) =>
          entryOf(section, key, setting, values.get(section)?.get(key)),
        ),
      ),
    secretFiles: () => {
      const placed = sections.flatMap(({ section, settings }) =>
        [...values.get(section)!.values()].filter(({ key }) => settings[key]?.secret),
      );
      return [...new Set(placed.flatMap(({ file, value }) => (file && !isEmpty(value) ? [file] : [])))];
    },
  };
}

function plainValues(
  values: ReadonlyMap<string, PlacedValue> | undefined,
): Readonly<Record<string, unknown>> {
  return Object.freeze(Object.fromEntries([...(values ?? [])].map(([key, { value }]) => [key, value])));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function entryOf(
  section: string,
  key: string,
  setting: Setting,
  { value = null, place = 'default' }: Partial<PlacedValue> = {},
): ConfigurationEntry {
  return {
    section,
    key,
    value: setting.secret ? (isEmpty(value) ? null : MASK) : withoutCredentials(value),
    source: place.replace(/^environment /, ''),
    changed: place !== 'default' && !isDeepStrictEqual(value, setting.default),
    env: environmentName(section, key, setting),
    description: setting.description,
  };
}

/** The same value with the credentials masked in the addresses within it. */
export function withoutCredentials<T>(value: T): T {
  return masked(value) as T;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(CREDENTIALS, MASK);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each)]));
}

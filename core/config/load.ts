import { faultyInstallation, type Fault } from '../errors/startup-error.ts';
import { faultWithin, satisfies } from './checker.ts';
import {
  configurationOf,
  MASK,
  withoutCredentials,
  type Configuration,
  type PlacedValue,
} from './configuration.ts';
import { fromEnvironment } from './environment.ts';
import { meantOr } from './nearest.ts';
import { sameSecrets } from './same-secrets.ts';
import { environmentName, type Complaints, type Setting, type Settings } from './settings.ts';
import { inWords } from './words.ts';
import type { YamlFile } from './yaml-file.ts';

export interface ConfigurationSource {
  /** The sections of the kernel and of the enabled plugins. */
  readonly sections: readonly Settings[];
  /** Ids of plugins that are switched off: their sections are not checked. */
  readonly ignoredSections?: readonly string[];
  /** Later files take precedence. */
  readonly files: readonly YamlFile[];
  readonly env: NodeJS.ProcessEnv;
  /** Values that take precedence over all others; for tests. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Ignores all faults, so that the kernel can find out which plugins are enabled and then report the faults of all
   * sections at once with a second, strict load.
   */
  readonly lenient?: boolean;
}

/**
 * Code default < each file < environment < overrides. Throws one `StartupError` with every finding, each with its
 * position, the expected value and the environment name.
 */
export function loadConfiguration(source: ConfigurationSource): Configuration {
  const loader = new Loader(source);
  source.files.forEach((file) => loader.takeFile(file));
  loader.takeEnvironment(source.env);
  loader.takeOverrides(source.overrides ?? {});
  const configuration = configurationOf(source.sections, loader.values);
  if (source.lenient) return configuration;
  loader.findMissing();
  loader.runChecks(configuration);
  const findings = [...loader.findings, ...sameSecrets(source.sections, loader.values)];
  if (findings.length > 0) throw faultyInstallation(findings);
  return configuration;
}

class Loader {
  readonly findings: Fault[] = [];
  readonly values: ReadonlyMap<string, Map<string, PlacedValue>>;
  readonly #declared: ReadonlyMap<string, Settings>;
  readonly #ignored: ReadonlySet<string>;
  readonly #unfit = new Set<Setting>();

  constructor(source: ConfigurationSource) {
    this.#declared = new Map(source.sections.map((settings) => [settings.section, settings]));
    this.#ignored = new Set(source.ignoredSections);
    this.values = new Map(source.sections.map((settings) => [settings.section, defaultsOf(settings)]));
  }

  takeFile({ sections, values, findings }: YamlFile): void {
    this.findings.push(...findings);
    for (const { name, ...position } of sections) this.#knowsSection(name, position);
    for (const value of values) this.#take(value);
  }

  takeEnvironment(env: NodeJS.ProcessEnv): void {
    for (const { section, settings } of this.#declared.values()) {
      for (const [key, setting] of Object.entries(settings)) {
        const found = fromEnvironment(section, key, setting, env);
        if (!found) continue;
        if ('message' in found) this.findings.push(found);
        else this.#take(found);
      }
    }
  }

  takeOverrides(overrides: NonNullable<ConfigurationSource['overrides']>): void {
    for (const [section, values] of Object.entries(overrides)) {
      if (!this.#knowsSection(section, { place: 'override' })) continue;
      for (const [key, value] of Object.entries(values))
        this.#take({ section, key, value, place: 'override' });
    }
  }

  /** Reports required settings that are not set. */
  findMissing(): void {
    for (const { section, settings } of this.#declared.values()) {
      for (const [key, setting] of Object.entries(settings)) {
        if (!setting.required || this.#hasValue(section, key) || this.#unfit.has(setting)) continue;
        const name = environmentName(section, key, setting);
        this.findings.push({
          message: `"${section}.${key}" must be set: ${inWords(setting.schema)} (environment: ${name}). ${setting.description}`,
          setting: `${section}.${key}`,
          env: name,
        });
      }
    }
  }

  /** Runs the `check` of each section on values that satisfy their schemas; skips sections with missing values. */
  runChecks(configuration: Configuration): void {
    for (const section of this.#declared.values()) {
      if (Object.keys(section.settings).some((key) => !this.#hasValue(section.section, key))) continue;
      for (const [key, complaint] of Object.entries(this.#complaintsOf(section, configuration))) {
        const setting = section.settings[key];
        if (complaint === undefined || !setting || this.#unfit.has(setting)) continue;
        this.findings.push(this.#complaintOf(section, key, setting, complaint));
      }
    }
  }

  #complaintsOf(section: Settings, configuration: Configuration): Complaints<Record<string, unknown>> {
    try {
      return section.check?.(configuration.valuesOf(section)) ?? {};
    } catch (error) {
      const name = section.section;
      const reason = error instanceof Error ? error.message : String(error);
      this.findings.push({
        message: `The check of the settings "${name}" threw: ${reason}. That is a fault of the plugin "${name}": tell its author.`,
      });
      return {};
    }
  }

  /** A complaint about defaults only is a fault of the plugin; with a configured value it is a fault of the configuration. */
  #complaintOf({ section, settings }: Settings, key: string, setting: Setting, complaint: string): Fault {
    const env = environmentName(section, key, setting);
    const given = [...this.values.get(section)!.values()].filter(({ place }) => place !== DEFAULT);
    if (given.length === 0 && Object.values(settings).every((other) => !this.#unfit.has(other))) {
      const message = `The default of "${section}.${key}" ${complaint}. That is a fault of the plugin "${section}" and not of the configuration: tell its author, or set ${env}.`;
      return { message, setting: `${section}.${key}`, env };
    }
    const placed = given.find((value) => value.key === key);
    const message = `${placed ? `${placed.place}: ` : ''}"${section}.${key}" ${complaint} (environment: ${env}).`;
    return placed ? faultOf(setting, placed, message) : { message, setting: `${section}.${key}`, env };
  }

  #hasValue(section: string, key: string): boolean {
    return this.values.get(section)?.has(key) ?? false;
  }

  #knowsSection(name: string, { place, file, line }: Pick<PlacedValue, 'place' | 'file' | 'line'>): boolean {
    if (this.#declared.has(name)) return true;
    if (!this.#ignored.has(name)) {
      const guess = didYouMean(name, [...this.#declared.keys(), ...this.#ignored]);
      this.findings.push({ message: `${place}: there is no section "${name}"${guess}`, file, line });
    }
    return false;
  }

  #take(placed: PlacedValue): void {
    const settings = this.#declared.get(placed.section)?.settings;
    if (!settings) return;
    const { section, key, place, file, line } = placed;
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (!setting) {
      const message = `${place}: there is no setting "${section}.${key}"${didYouMean(key, Object.keys(settings))}`;
      this.findings.push({ message, setting: `${section}.${key}`, file, line });
    } else if (satisfies(setting.schema, placed.value)) {
      this.values.get(section)?.set(key, placed);
      this.#unfit.delete(setting);
    } else {
      this.#unfit.add(setting);
      this.findings.push(wrongValue(setting, placed));
    }
  }
}

/** The place of a value that no layer sets. */
const DEFAULT = 'default';

function defaultsOf({ section, settings }: Settings): Map<string, PlacedValue> {
  return new Map(
    Object.entries(settings)
      .filter(([, setting]) => !setting.required)
      .map(([key, { default: value }]) => [key, { section, key, value, place: DEFAULT }]),
  );
}

function didYouMean(name: string, known: readonly string[]): string {
  return meantOr('Take it out; docs/settings.md has all that there are.', name, known);
}

function wrongValue(setting: Setting, placed: PlacedValue): Fault {
  const { section, key, value, place } = placed;
  const shown = setting.secret
    ? 'a secret that does not fit'
    : (JSON.stringify(withoutCredentials(value)) ?? String(value)).slice(0, 200);
  const name = environmentName(section, key, setting);
  const within = setting.secret ? undefined : faultWithin(setting.schema, value);
  // YAML takes an unquoted `1` for a number.
  const quotes = isScalar(value) && satisfies(setting.schema, String(value)) ? ', so put it into quotes' : '';
  const wrong = within ?? `is ${shown}; expected ${inWords(setting.schema)}${quotes}`;
  const message = `${place}: "${section}.${key}" ${wrong} (environment: ${name}).`;
  return faultOf(setting, within === undefined ? placed : { ...placed, value: MASK }, message);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function faultOf(setting: Setting, { section, key, value, file, line }: PlacedValue, message: string): Fault {
  return {
    message,
    setting: `${section}.${key}`,
    env: environmentName(section, key, setting),
    file,
    line,
    value: setting.secret ? MASK : withoutCredentials(value),
  };
}

import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import type { Fault } from '../errors/startup-error.ts';
import { satisfies } from './checker.ts';
import { environmentName, type Setting } from './settings.ts';

/** The environment of this process; everything else receives it as an argument. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** The value of one setting in the environment. */
export type EnvironmentValue =
  | { readonly kind: 'unset' }
  | {
      readonly kind: 'set';
      readonly value: unknown;
      readonly place: string;
      /** The file from which a secret was read. */
      readonly file?: string;
    }
  | { readonly kind: 'finding'; readonly finding: Fault };

/** Reads a setting from `NAME`, or for a secret from the file named by `NAME_FILE`. Empty text counts as unset. */
export function fromEnvironment(
  section: string,
  key: string,
  setting: Setting,
  env: NodeJS.ProcessEnv,
): EnvironmentValue {
  const name = environmentName(section, key, setting);
  const direct = env[name] || undefined;
  const file = setting.secret ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined) {
    return {
      kind: 'finding',
      finding: {
        message: `environment ${name}: both ${name} and ${name}_FILE are set. Set one of them.`,
        env: name,
      },
    };
  }
  if (file !== undefined) return fromSecretFile(`${name}_FILE`, file, setting.schema);
  if (direct === undefined) return { kind: 'unset' };
  return { kind: 'set', value: coerced(direct, setting.schema), place: name };
}

function fromSecretFile(name: string, file: string, schema: TSchema): EnvironmentValue {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { kind: 'unset' } : { kind: 'set', value: coerced(text, schema), place: name, file };
  } catch {
    return {
      kind: 'finding',
      finding: {
        message: `environment ${name}: the file ${file} cannot be read. Check its path and its rights.`,
        env: name,
        file,
      },
    };
  }
}

const TRUTH = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/** The first interpretation of a text that satisfies the schema; what JSON says, or the text itself, when none does. */
function coerced(text: string, schema: TSchema): unknown {
  const list = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const truth = TRUTH.get(text.trim().toLowerCase());
  const json = asJson(text);
  const readings = [asNumber(text), truth, text, json, list, list.map(asNumber)];
  return readings.find((reading) => reading !== undefined && satisfies(schema, reading)) ?? json ?? text;
}

/** A list of objects cannot be written otherwise. */
function asJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function asNumber(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

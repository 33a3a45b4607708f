import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import type { Fault } from '../errors/startup-error.ts';
import { satisfies } from './checker.ts';
import type { PlacedValue } from './configuration.ts';
import { environmentName, type Setting } from './settings.ts';

/** The environment of this process; everything else receives it as an argument. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Reads a setting from `NAME`, or for a secret from the file named by `NAME_FILE`; returns the fault when that is not possible,
 * and `undefined` when it is not set. An empty variable counts as unset, an empty file is a fault.
 */
export function fromEnvironment(
  section: string,
  key: string,
  setting: Setting,
  env: NodeJS.ProcessEnv,
): PlacedValue | Fault | undefined {
  const name = environmentName(section, key, setting);
  const file = setting.secret ? env[`${name}_FILE`] || undefined : undefined;
  const from = file === undefined ? name : `${name}_FILE`;
  const fault = (message: string): Fault => ({
    message: `environment ${from}: ${message}`,
    setting: `${section}.${key}`,
    env: from,
    file,
  });
  let text = env[name];
  if (file !== undefined) {
    if (text) return fault(`both ${name} and ${from} are set. Set one of them.`);
    try {
      text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch {
      return fault(`the file ${file} cannot be read. Check its path and its rights.`);
    }
    if (text === '') return fault(`the file ${file} is empty. Write the value into it, or unset ${from}.`);
  }
  return text
    ? { section, key, value: coerced(text, setting.schema), place: `environment ${from}`, file }
    : undefined;
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

/** JSON is the only way to write a list of objects in a variable. */
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

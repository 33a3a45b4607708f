import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { withoutCredentials } from './configuration.ts';
import { inWords } from './words.ts';

const ajv = new Ajv2020({ strict: false, allErrors: false, verbose: true });
ajv.addFormat('uri', { type: 'string', validate: (text: string) => URL.canParse(text) });

/** Whether a value satisfies the schema of a setting. */
export function satisfies(schema: TSchema, value: unknown): boolean {
  return ajv.validate(schema, value);
}

/**
 * What is wrong with a member of an object in a setting, as a predicate that begins with its place: `at /0/id is 5; expected
 * text`. `undefined` where the value itself is wrong, or a plain list.
 */
export function faultWithin(schema: TSchema, value: unknown): string | undefined {
  if (ajv.validate(schema, value)) return undefined;
  const [error] = ajv.errors ?? [];
  return error && faultAt(error);
}

function faultAt({ keyword, instancePath, params, data, parentSchema }: ErrorObject): string | undefined {
  if (keyword === 'additionalProperties')
    return `at ${instancePath}/${params['additionalProperty']} is not known`;
  if (keyword === 'required') return `at ${instancePath}/${params['missingProperty']} is missing`;
  const isMember = /\/[^/\d][^/]*/.test(instancePath);
  if (!isMember) return undefined;
  const shown = (JSON.stringify(withoutCredentials(data)) ?? String(data)).slice(0, 200);
  return `at ${instancePath} is ${shown}; expected ${inWords(parentSchema as TSchema)}`;
}

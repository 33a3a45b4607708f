import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addFormat('uri', { type: 'string', validate: (text: string) => URL.canParse(text) });

const compiled = new WeakMap<TSchema, (value: unknown) => boolean>();

/** Whether a value satisfies the schema of a setting. */
export function satisfies(schema: TSchema, value: unknown): boolean {
  let check = compiled.get(schema);
  if (!check) {
    const validate = ajv.compile(schema);
    check = (candidate) => validate(candidate);
    compiled.set(schema, check);
  }
  return check(value);
}

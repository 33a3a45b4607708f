import type { Version } from '../api/queries.ts';
import { isObject, readFields, type FieldSchema } from './fields.ts';

export interface Values {
  readonly input: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

/** What the form holds at first: the example of the version, so that it can be run as it is, and the defaults. */
export function initialValues({
  input_schema: schema,
  params,
}: Pick<Version, 'input_schema' | 'params'>): Values {
  const examples = (schema as { examples?: unknown }).examples;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return {
    input: isObject(example) ? { ...defaultsOf(schema), ...example } : defaultsOf(schema),
    params: defaultsOf({ properties: params }),
  };
}

function defaultsOf(schema: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, schema: each, isRequired } of readFields(schema)) {
    const value = defaultOf(each, isRequired);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function defaultOf(schema: FieldSchema, isRequired: boolean): unknown {
  if (schema.default !== undefined) return schema.default;
  if (!isRequired) return undefined;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'boolean') return false;
  return schema.type === 'object' ? defaultsOf(schema) : undefined;
}

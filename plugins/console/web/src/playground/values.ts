import type { Example, Version } from '../api/queries.ts';
import { isObject, readFields, type FieldSchema } from './fields.ts';

export interface Values {
  readonly input: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

/** What the form holds at first: an example, so that it can be run as it is, and the defaults. */
export function initialValues(
  { input_schema: schema, params }: Pick<Version, 'input_schema' | 'params'>,
  example: Pick<Example, 'input_data' | 'params'> | undefined,
): Values {
  const input = example?.input_data ?? exampleIn(schema);
  return {
    input: isObject(input) ? { ...defaultsOf(schema), ...input } : defaultsOf(schema),
    params: { ...defaultsOf({ properties: params }), ...example?.params },
  };
}

/** The first of the examples that a schema may carry. */
function exampleIn(schema: object): unknown {
  const { examples } = schema as { examples?: unknown };
  return Array.isArray(examples) ? examples[0] : undefined;
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

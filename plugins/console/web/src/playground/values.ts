import { getDefaultFormState, retrieveSchema } from '@rjsf/utils';
import type { Example, Version } from '../api/queries.ts';
import { isObject, readFields, type FieldSchema } from './fields.ts';
import { withoutUndefined } from './form/checking.ts';
import { drawnSchema, schemaOfParams } from './form/drawing.ts';
import { formValidator } from './form/validator.ts';

export interface Values {
  readonly input: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

/** What the form holds at first: an example of the version, so that it can be run as it is, and the defaults. */
export function initialValues(
  { input_schema: schema, params }: Pick<Version, 'input_schema' | 'params'>,
  example: Pick<Example, 'input_data' | 'params'> | undefined,
): Values {
  const input = example?.input_data ?? writtenExample(schema) ?? {};
  return {
    input: { ...defaultsOf(drawnSchema(schema)), ...input },
    params: { ...defaultsOf(drawnSchema(schemaOfParams(params))), ...example?.params },
  };
}

/** The example that a schema itself gives. */
export function writtenExample(schema: Version['input_schema']): Record<string, unknown> | undefined {
  const written = Array.isArray(schema['examples']) ? (schema['examples'][0] as unknown) : undefined;
  return isObject(written) ? written : undefined;
}

/** The form adds what must be there and can be nothing else; it adds nothing that is optional. */
export const DEFAULTS = { emptyObjectFields: 'populateRequiredDefaults' } as const;

function defaultsOf(schema: FieldSchema | undefined): Record<string, unknown> {
  if (!schema) return {};
  const root = schema as object;
  const values = withoutUndefined(
    getDefaultFormState(formValidator, root, {}, root, undefined, DEFAULTS) ?? {},
  ) as Record<string, unknown>;
  for (const { name, schema: each, isRequired } of readFields(
    retrieveSchema(formValidator, root, root, values),
  )) {
    const value = values[name] ?? each.default ?? (isRequired ? firstOf(each) : undefined);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function firstOf(schema: FieldSchema): unknown {
  if (schema['x-values']) return schema['x-values'][0];
  if (schema.type === 'boolean') return false;
  return schema['x-nullable'] ? null : undefined;
}

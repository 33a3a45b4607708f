import { isObject } from '../fields.ts';

export type Schema = Record<string, unknown>;

const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** A copy of a schema in which each schema, the inner ones first, is replaced by what `change` makes of it. */
export function mapSchemas(schema: unknown, change: (schema: Schema | boolean) => unknown): unknown {
  if (typeof schema === 'boolean') return change(schema);
  if (!isObject(schema)) return schema;
  const inner = (each: unknown): unknown => mapSchemas(each, change);
  const copy: Schema = { ...schema };
  for (const [keyword, value] of Object.entries(schema)) {
    if (LISTS.includes(keyword) && Array.isArray(value)) copy[keyword] = value.map(inner);
    else if (ONE.includes(keyword)) copy[keyword] = inner(value);
    else if (NAMED.includes(keyword) && isObject(value)) copy[keyword] = mapValues(value, inner);
    // What OpenAPI documents refer to.
    else if (keyword === 'components' && isObject(value) && isObject(value['schemas']))
      copy[keyword] = { ...value, schemas: mapValues(value['schemas'], inner) };
  }
  return change(copy);
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** The schema in the words of JSON Schema 2020-12, as the service reads it. */
export function inCurrentWords(schema: unknown): unknown {
  return mapSchemas(schema, (each) => {
    if (typeof each === 'boolean') return each;
    const { $schema: _, nullable, ...current } = each;
    if (Array.isArray(current['items'])) {
      current['prefixItems'] = current['items'];
      delete current['items'];
      if (current['additionalItems'] !== undefined) current['items'] = current['additionalItems'];
      delete current['additionalItems'];
    }
    if (nullable === true) return withNull(current);
    return current;
  });
}

function withNull(schema: Schema): Schema {
  if (typeof schema['type'] !== 'string') return { anyOf: [schema, { type: 'null' }], ...wordsOf(schema) };
  const type = [schema['type'], 'null'];
  return Array.isArray(schema['enum'])
    ? { ...schema, type, enum: [...schema['enum'], null] }
    : { ...schema, type };
}

/** What a schema says to people. */
export function wordsOf(schema: Schema): Schema {
  const words = Object.entries(schema).filter(
    ([keyword]) =>
      ['title', 'description', 'default', 'examples'].includes(keyword) || keyword.startsWith('x-'),
  );
  return Object.fromEntries(words);
}

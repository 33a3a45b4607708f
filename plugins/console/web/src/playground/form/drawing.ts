import { text } from '../../texts/text.ts';
import { isObject, type FieldSchema } from '../fields.ts';
import { inCurrentWords, mapSchemas, wordsOf, type Schema } from './walk.ts';

/**
 * The schema that the form is drawn from: the same fields, written so that each has one way to be entered. Values are
 * checked against the schema itself. `undefined` where there are no fields to draw.
 */
export function drawnSchema(schema: unknown): FieldSchema | undefined {
  const drawn = mapSchemas(inCurrentWords(schema), drawnOne);
  return isObject(drawn) && !drawn['x-json'] && hasFields(drawn, drawn) ? drawn : undefined;
}

/** The schema of the parameters of a version, whose bounds are called `min` and `max`. */
export function schemaOfParams(params: Readonly<Record<string, unknown>>): FieldSchema {
  const properties = Object.entries(params).map(([name, spec]) => [
    name,
    isObject(spec) ? ofParam(spec) : {},
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, FieldSchema> };
}

const TYPES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  float: 'number',
  double: 'number',
  int: 'integer',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
};

function ofParam({ min, max, type, ...spec }: Schema): Schema {
  return {
    ...spec,
    ...(type === undefined ? {} : { type: TYPES[type as string] ?? type }),
    ...(typeof min === 'number' ? { minimum: min } : {}),
    ...(typeof max === 'number' ? { maximum: max } : {}),
  };
}

function drawnOne(schema: Schema | boolean): Schema {
  if (typeof schema === 'boolean') return asJson({});
  const { $id: _, ...written } = schema;
  const own = withoutWrapping(written);
  const { $ref } = own;
  if (typeof $ref === 'string') return $ref === '#' || $ref.startsWith('#/') ? own : asJson(own);
  const { anyOf, oneOf } = own;
  if (Array.isArray(anyOf)) return ofChoice(own, 'anyOf', anyOf as Schema[]);
  if (Array.isArray(oneOf)) return ofChoice(own, 'oneOf', oneOf as Schema[]);
  return ofTypes(own);
}

/** OpenAPI 3.0 writes words beside a reference as `allOf` of the one reference. */
function withoutWrapping(schema: Schema): Schema {
  const { allOf, ...rest } = schema;
  const isAlone =
    Array.isArray(allOf) &&
    allOf.length === 1 &&
    Object.keys(rest).every((keyword) => keyword in wordsOf(rest));
  return isAlone ? { ...(allOf[0] as Schema), ...rest } : schema;
}

function asJson(schema: Schema): Schema {
  return { ...wordsOf(schema), 'x-json': true };
}

/** `anyOf` and `oneOf`: one schema or nothing, one of several values, or one of several schemas. */
function ofChoice(schema: Schema, keyword: 'anyOf' | 'oneOf', options: readonly Schema[]): Schema {
  const { [keyword]: _, ...rest } = schema;
  const kinds = options.filter((option) => option['type'] !== 'null' && option['const'] !== null);
  if (kinds.length < options.length) rest['x-nullable'] = true;
  const own = 'properties' in rest ? ofTypes(rest) : rest;
  // Kinds that only ask for some of the fields have nothing to draw.
  if ('properties' in rest && kinds.every((option) => option['x-json'])) return own;
  if (kinds.length === 0) return asJson(schema);
  if (kinds.every((option) => 'const' in option)) return ofValues(rest, kinds);
  // The words of the field go before those of its only kind.
  if (kinds.length === 1 && !('properties' in rest)) return { ...kinds[0], ...wordsOf(rest) };
  return { ...own, [keyword]: kinds.map((option) => ({ ...option, ...titleOf(option) })) };
}

function ofValues(rest: Schema, options: readonly Schema[]): Schema {
  const values = options.map((option) => option['const']);
  const names = options.map((option) => option['title'] ?? String(option['const']));
  return { ...rest, type: typeof values[0], 'x-values': values, 'x-names': names };
}

function titleOf({ title, $ref, const: value, type }: Schema): { readonly title?: string } {
  if (typeof title === 'string' || $ref !== undefined) return {};
  if (typeof value === 'string') return { title: value };
  return typeof type === 'string' && type in text.form.kinds ? { title: text.form.kinds[type]! } : {};
}

function ofTypes(schema: Schema): Schema {
  const named = [schema['type']].flat().filter((type): type is string => typeof type === 'string');
  if (named.length === 1 && named[0] === 'null') return schema;
  const types = named.filter((type) => type !== 'null' && !(type === 'integer' && named.includes('number')));
  const own: Schema = {
    ...schema,
    ...(types.length < named.length && named.includes('null') ? { 'x-nullable': true } : {}),
  };
  if (types.length > 1) {
    const { type: _, ...rest } = own;
    return {
      ...wordsOf(rest),
      anyOf: types.map((type) => ({ ...ofType({ ...withoutWords(rest), type }), ...titleOf({ type }) })),
    };
  }
  const type = types[0] ?? impliedType(own);
  return type === undefined ? withoutFields(own) : ofType({ ...own, type });
}

function withoutWords(schema: Schema): Schema {
  const words = wordsOf(schema);
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !(keyword in words)));
}

/** What joins schemas is drawn by their fields; anything else without a type may be anything. */
function withoutFields(schema: Schema): Schema {
  return ['allOf', 'if', 'not'].some((keyword) => keyword in schema) &&
    !('not' in schema && Object.keys(schema).length === 1)
    ? schema
    : asJson(schema);
}

function impliedType(schema: Schema): string | undefined {
  if ('properties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  const value =
    'const' in schema
      ? schema['const']
      : (schema['enum'] as unknown[] | undefined)?.find((each) => each !== null);
  return value === undefined || typeof value === 'object' ? undefined : typeof value;
}

function ofType(schema: Schema): Schema {
  if (Array.isArray(schema['enum'])) {
    const values = (schema['enum'] as unknown[]).filter((value) => value !== null);
    if (values.some((value) => typeof value === 'object')) return asJson(schema);
    const nullable = values.length < schema['enum'].length ? { 'x-nullable': true } : {};
    const { enum: _, ...rest } = schema;
    return { ...rest, ...nullable, 'x-values': values };
  }
  if (schema['type'] === 'array') return ofList(schema);
  return schema['type'] === 'object' ? ofObject(schema) : schema;
}

/** A list whose first items have schemas of their own is written in the older way, which is the one that is drawn. */
function ofList({ prefixItems, items, ...rest }: Schema): Schema {
  if (Array.isArray(prefixItems)) {
    return { ...rest, items: prefixItems, additionalItems: isObject(items) ? items : false };
  }
  return isObject(items) ? { ...rest, items } : asJson({ ...rest, items });
}

function ofObject(schema: Schema): Schema {
  const { additionalProperties, patternProperties, ...rest } = schema;
  const isOpen = !isObject(additionalProperties) || additionalProperties['x-json'] === true;
  if ('properties' in schema || 'allOf' in schema || 'if' in schema) {
    return isOpen ? rest : { ...rest, additionalProperties };
  }
  return isOpen || patternProperties ? asJson(schema) : { ...rest, additionalProperties };
}

const DEEPEST = 8;

/** Whether fields are seen when references and what is joined are followed. */
function hasFields(schema: Schema, root: Schema, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  const { $ref, properties, additionalProperties } = schema;
  if (isObject(properties) && Object.keys(properties).length > 0) return true;
  if (isObject(additionalProperties)) return true;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap(
    (keyword) => (schema[keyword] as Schema[] | undefined) ?? [],
  );
  if (typeof $ref === 'string') parts.push(referred(root, $ref) as Schema);
  return parts.some((part) => isObject(part) && hasFields(part, root, depth + 1));
}

/** What a reference such as `#/$defs/Point` names; `undefined` where there is nothing. */
export function referred(root: unknown, $ref: string): unknown {
  let found = root;
  for (const part of decodeURIComponent($ref).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Schema)[name] : undefined;
  }
  return found;
}

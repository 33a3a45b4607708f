import { isObject, type JsonObject } from './json.ts';
import { DATA, NAMES } from './vocabulary.ts';

type Writable = Record<string, unknown>;

/** The same schema, written so that ajv checks what JSON Schema means. */
export function forAjv(schema: JsonObject): JsonObject {
  const tracksEvaluation = JSON.stringify(schema).includes('"unevaluated');
  return rewritten(schema, (part) => {
    if (!isOfType(part)) delete part['nullable'];
    moveItems(part);
    moveReferences(part);
    if (tracksEvaluation) moveCondition(part);
  });
}

/** The same schema with lists of items as 2020-12 has them, for its metaschema. */
export function withPrefixItems(schema: JsonObject): JsonObject {
  return rewritten(schema, moveItems);
}

/**
 * A copy of a schema, of which each part was changed. References may lead into unknown keywords, so those are read as
 * well; data is left alone.
 */
function rewritten(schema: JsonObject, change: (part: Writable) => void): JsonObject {
  const read = (keyword: string, value: unknown): unknown => {
    if (DATA.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((item) => read('', item));
    if (!isObject(value)) return value;
    if (!NAMES.has(keyword)) return rewritten(value, change);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read('', inner)]));
  };
  const part: Writable = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, read(keyword, value)]),
  );
  change(part);
  return part;
}

/** Ajv reads `nullable` of OpenAPI 3.0 beside `type`, and throws anywhere else, where it is an annotation. */
function isOfType({ type, nullable }: JsonObject): boolean {
  return nullable === true && type !== undefined && ![type].flat().includes('null');
}

/** Older drafts list the first items under `items`, and keep the others under `additionalItems`. */
function moveItems(schema: Writable): void {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items)) return;
  delete schema['items'];
  if (items.length > 0) schema['prefixItems'] = items;
  if (additionalItems !== undefined) schema['items'] = additionalItems;
}

/**
 * A dynamic reference means a reference, because a schema with identities inside may have none (`rules.ts`). Ajv resolves
 * a reference beside `$id` without an end, so such a reference goes to `allOf`.
 */
function moveReferences(schema: Writable): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = schema[keyword];
    if (target === undefined || (keyword === '$ref' && schema['$id'] === undefined)) continue;
    delete schema[keyword];
    alsoDemand(schema, { $ref: target });
  }
}

/** Ajv takes what `if` evaluated for evaluated whether it holds or not, and skips it without `then` and `else`. */
function moveCondition(schema: Writable): void {
  const { if: condition, then: first = true, else: second = true } = schema;
  if (condition === undefined) return;
  for (const keyword of ['if', 'then', 'else']) delete schema[keyword];
  alsoDemand(schema, { anyOf: [{ allOf: [condition, first] }, { allOf: [{ not: condition }, second] }] });
}

function alsoDemand(schema: Writable, more: JsonObject): void {
  schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), more];
}

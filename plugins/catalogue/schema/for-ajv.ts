import { isObject, type JsonObject } from './json.ts';
import { DATA, NAMES } from './vocabulary.ts';

/**
 * The same schema, written so that ajv checks what JSON Schema means. References may lead into unknown keywords, so those
 * are read as well; data is left alone.
 */
export function forAjv(schema: JsonObject): JsonObject {
  return written(schema, JSON.stringify(schema).includes('"unevaluated'));
}

function written(schema: JsonObject, tracksEvaluation: boolean): JsonObject {
  const read = (keyword: string, value: unknown): unknown => {
    if (DATA.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((item) => read('', item));
    if (!isObject(value)) return value;
    if (!NAMES.has(keyword)) return written(value, tracksEvaluation);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read('', inner)]));
  };
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, read(keyword, value)]);
  const { nullable, ...kept }: Record<string, unknown> = Object.fromEntries(parts);
  if (isOfType(schema)) kept['nullable'] = nullable;
  moveReferences(kept);
  if (tracksEvaluation) moveCondition(kept);
  return kept;
}

/** Ajv reads `nullable` of OpenAPI 3.0 beside `type`, and throws anywhere else, where it is an annotation. */
function isOfType({ type, nullable }: JsonObject): boolean {
  return nullable === true && type !== undefined && ![type].flat().includes('null');
}

/**
 * A dynamic reference means a reference, because a schema with identities inside may have none (`rules.ts`). Ajv resolves
 * a reference beside `$id` without an end, so such a reference goes to `allOf`.
 */
function moveReferences(schema: Record<string, unknown>): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = schema[keyword];
    if (target === undefined || (keyword === '$ref' && schema['$id'] === undefined)) continue;
    delete schema[keyword];
    alsoDemand(schema, { $ref: target });
  }
}

/** Ajv takes what `if` evaluated for evaluated whether it holds or not, and skips it without `then` and `else`. */
function moveCondition(schema: Record<string, unknown>): void {
  const { if: condition, then: first = true, else: second = true } = schema;
  if (condition === undefined) return;
  for (const keyword of ['if', 'then', 'else']) delete schema[keyword];
  alsoDemand(schema, { anyOf: [{ allOf: [condition, first] }, { allOf: [{ not: condition }, second] }] });
}

function alsoDemand(schema: Record<string, unknown>, more: JsonObject): void {
  schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), more];
}

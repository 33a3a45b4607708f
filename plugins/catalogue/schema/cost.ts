import { isObject, type JsonObject } from './json.ts';
import { subschemasOf } from './vocabulary.ts';

/** Compiling takes about a tenth of a millisecond for each subschema, on the main thread. */
const MOST_SUBSCHEMAS = 64;
/** Comparisons for one part of an array or map, of which a body of 8 MiB can hold millions. */
const MOST_PER_PART = 64;
/** Times that one value is gone through as a whole: a text of 8 million letters takes milliseconds each time. */
const MOST_PASSES = 8;

const words = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '));

/** Keywords that cost nothing. */
const ANNOTATIONS = words(
  '$schema $id $anchor $comment $defs definitions title description default example examples deprecated',
  'readOnly writeOnly contentEncoding contentMediaType contentSchema',
);

/** Keywords whose cost is linear in the value. */
const LINEAR = words(
  'type minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength format',
  'minItems maxItems minContains maxContains minProperties maxProperties uniqueItems',
  'properties required dependentRequired enum const additionalProperties items prefixItems contains propertyNames',
  'not if then else allOf anyOf oneOf dependentSchemas',
);

/** Keywords that go through all letters of a text, all names of an object or all items of a list, each by itself. */
const WHOLE = words(
  'minLength maxLength format minProperties maxProperties propertyNames additionalProperties',
  'items contains uniqueItems',
);

interface Cost {
  subschemas: number;
  perPart: number;
  /** Of the value that is gone through most often. */
  passes: number;
  certain: boolean;
}

/** A value that schemas are applied to. */
interface Place {
  passes: number;
}

/** Comparisons for one value: one for each keyword, and one for each value or name that it lists. */
function comparisons(schema: JsonObject): number {
  let count = 0;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!LINEAR.has(keyword)) continue;
    count += 1;
    if (keyword === 'enum' || keyword === 'const' || keyword === 'dependentRequired')
      count += JSON.stringify(value).length / 4;
    if (keyword === 'required' && Array.isArray(value)) count += value.length;
    if (keyword === 'properties' && isObject(value)) count += Object.keys(value).length;
  }
  return count;
}

/** ajv compares every item with every other unless the schema says that all of them are scalars. */
function isQuadratic(schema: JsonObject): boolean {
  if (schema['uniqueItems'] !== true) return false;
  const items = schema['items'];
  const of = isObject(items) ? [items['type']].flat() : [];
  return (
    !of.every((type) => typeof type === 'string' && type !== 'object' && type !== 'array') || of.length === 0
  );
}

/** To tell whether it is one of many lists or objects, all names of a large value are looked at for each of them. */
function listsParts({ enum: values }: JsonObject): boolean {
  return Array.isArray(values) && values.some((value) => value !== null && typeof value === 'object');
}

function isCertain(schema: JsonObject): boolean {
  const known = (keyword: string) =>
    LINEAR.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
  return Object.keys(schema).every(known) && !isQuadratic(schema) && !listsParts(schema);
}

function addUp(schema: JsonObject, repeated: boolean, cost: Cost, place: Place = { passes: 0 }): void {
  cost.subschemas += 1;
  cost.certain &&= isCertain(schema);
  if (repeated) cost.perPart += comparisons(schema);
  place.passes += Object.keys(schema).filter((keyword) => WHOLE.has(keyword)).length;
  cost.passes = Math.max(cost.passes, place.passes);
  for (const { schema: inner, reach } of subschemasOf(schema)) {
    if (reach === 'defined') continue;
    addUp(inner as JsonObject, repeated || reach === 'every', cost, reach === 'same' ? place : undefined);
  }
}

/**
 * Whether checking against a schema is certain to be cheap, so that it may run on the main thread. Without references
 * a schema is a tree, and each of its subschemas sees each part of a value at most once; what remains is to bound how
 * many see the same part or go through the same value, and to exclude keywords whose cost is not linear (`pattern`,
 * `enum` of objects, …) or not known.
 */
export function isCertainlyCheap(schema: JsonObject): boolean {
  const cost: Cost = { subschemas: 0, perPart: 0, passes: 0, certain: true };
  addUp(schema, false, cost);
  const { subschemas, perPart, passes, certain } = cost;
  return certain && subschemas <= MOST_SUBSCHEMAS && perPart <= MOST_PER_PART && passes <= MOST_PASSES;
}

import { isObject, type JsonObject } from './json.ts';
import { subschemasOf } from './vocabulary.ts';

/** Compiling takes about a tenth of a millisecond for each subschema, on the main thread. */
const MOST_SUBSCHEMAS = 64;
/** Comparisons for one part of an array or map, of which a body of 8 MiB can hold millions. */
const MOST_PER_PART = 64;
/** Passes over a whole value at most: each pass over a text of 8 million characters takes milliseconds. */
const MOST_PASSES = 8;

const words = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '));

/** Keywords that cost nothing. */
const ANNOTATIONS = words(
  '$schema $id $anchor $comment title description default example examples deprecated',
  'readOnly writeOnly nullable id contentEncoding contentMediaType',
);

/** Keywords whose cost is linear in the value. */
const LINEAR = words(
  'type minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength format',
  'minItems maxItems minContains maxContains minProperties maxProperties uniqueItems',
  'properties required dependentRequired enum const additionalProperties items prefixItems contains propertyNames',
  'not if then else allOf anyOf oneOf dependentSchemas',
);

/** Keywords that each pass over all characters of a text, names of an object or items of a list. */
const WHOLE = words(
  'minLength maxLength format minProperties maxProperties propertyNames additionalProperties',
  'items contains uniqueItems',
);

interface Cost {
  subschemas: number;
  perPart: number;
  /** The passes over the value with the most passes. */
  passes: number;
  certain: boolean;
}

/** A value that schemas are applied to. */
interface Place {
  passes: number;
}

/** The comparisons for one value: one for each keyword, and one for each value or name that it lists. */
function comparisons(schema: JsonObject): number {
  let count = 0;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!LINEAR.has(keyword)) continue;
    count += 1;
    if (keyword === 'enum' || keyword === 'const' || keyword === 'dependentRequired')
      count += JSON.stringify(value).length / 4;
    // Long numbers are compared digit by digit, which takes a microsecond each.
    if (keyword === 'multipleOf') count += MOST_PER_PART;
    if (keyword === 'required' && Array.isArray(value)) count += value.length;
    if (keyword === 'properties' && isObject(value)) count += Object.keys(value).length;
  }
  return count;
}

/** Whether ajv compares every item with every other: it does unless the schema makes all of them scalars. */
function isQuadratic(schema: JsonObject): boolean {
  if (schema['uniqueItems'] !== true) return false;
  const items = schema['items'];
  const of = isObject(items) ? [items['type']].flat() : [];
  return (
    !of.every((type) => typeof type === 'string' && type !== 'object' && type !== 'array') || of.length === 0
  );
}

/** Whether an `enum` has lists or objects: a large value is written out to be compared with them. */
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
    addUp(inner as JsonObject, repeated || reach === 'every', cost, reach === 'same' ? place : undefined);
  }
}

/**
 * Whether compiling a schema and checking a value against it are certainly cheap, so that both may run on the main thread.
 * A schema without references is a tree, and each subschema checks each part of a value at most once. So it is enough to
 * limit how many subschemas check the same part or pass over the same value, and to exclude keywords whose cost is not
 * linear (`pattern`, `enum` of objects, …) or not known.
 */
export function isCertainlyCheap(schema: JsonObject): boolean {
  const cost: Cost = { subschemas: 0, perPart: 0, passes: 0, certain: true };
  addUp(schema, false, cost);
  const { subschemas, perPart, passes, certain } = cost;
  return certain && subschemas <= MOST_SUBSCHEMAS && perPart <= MOST_PER_PART && passes <= MOST_PASSES;
}

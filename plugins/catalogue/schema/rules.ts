import type { SchemaFinding } from '../contract.ts';
import { draftOf, otherMeaning } from './dialects.ts';
import { isObject, pointerTo, type JsonObject } from './json.ts';
import { brokenPattern } from './patterns/linear-pattern.ts';
import { DATA, subschemasOf } from './vocabulary.ts';

type Rule = (value: unknown) => string | undefined;

/** A map, because in a plain object `constructor` would be a keyword. */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    $schema: (value) =>
      draftOf(value)
        ? undefined
        : 'must be "https://json-schema.org/draft/2020-12/schema" or that of 2019-09, draft-07 or draft-06; or leave it out.',
    $recursiveRef: () => 'belongs to another draft of JSON Schema; use $ref.',
    $async: () => 'is not a keyword of JSON Schema.',
    pattern: (value) => (typeof value === 'string' ? brokenPattern(value) : undefined),
  }),
);

type Draft = NonNullable<ReturnType<typeof draftOf>>;

function brokenHere(schema: JsonObject, pointer: string, draft: Draft): SchemaFinding[] {
  const found: SchemaFinding[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const broken = RULES.get(keyword)?.(value) ?? otherMeaning(keyword, schema, draft);
    if (broken !== undefined) found.push({ pointer: pointer + pointerTo(keyword), message: broken });
    if (keyword === 'patternProperties' && isObject(value)) found.push(...brokenNames(value, pointer));
    if (!DATA.has(keyword) && isObject(value) && '$data' in value && typeof value['$data'] === 'string') {
      found.push({
        pointer: pointer + pointerTo(keyword),
        message: 'must be a value; $data is not supported.',
      });
    }
  }
  return found;
}

function brokenNames(patterns: JsonObject, pointer: string): SchemaFinding[] {
  return Object.keys(patterns).flatMap((pattern) => {
    const message = brokenPattern(pattern);
    return message === undefined
      ? []
      : [{ pointer: pointer + pointerTo('patternProperties', pattern), message }];
  });
}

/** Every keyword at a place where a schema stands, with the place of the first one. */
function places(
  schema: JsonObject,
  pointer: string,
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  for (const keyword of Object.keys(schema)) {
    const isInside = pointer !== '' && keyword === '$id';
    const name = isInside ? '$id inside' : keyword;
    if (!found.has(name)) found.set(name, pointer + pointerTo(keyword));
  }
  for (const sub of subschemasOf(schema)) places(sub.schema as JsonObject, pointer + sub.pointer, found);
  return found;
}

/** Pairs of keywords that ajv does not follow together, with what to do instead of the first one. */
const APART = [
  ['unevaluatedItems', 'contains', 'cannot be told in a schema that has contains; use items.'],
  ['$dynamicRef', '$id inside', 'cannot be followed in a schema that has $id inside; use $ref.'],
] as const;

function brokenPairs(schema: JsonObject): SchemaFinding[] {
  const found = places(schema, '');
  return APART.flatMap(([keyword, other, message]) => {
    const pointer = found.get(keyword);
    return pointer !== undefined && found.has(other) ? [{ pointer, message }] : [];
  });
}

/** Violations of our rules for schemas, which go beyond JSON Schema; pointers are relative to the schema. */
export function brokenRules(schema: JsonObject): SchemaFinding[] {
  return [...brokenPairs(schema), ...brokenIn(schema, '', draftOf(undefined)!)];
}

function brokenIn(schema: JsonObject, pointer: string, outer: Draft): SchemaFinding[] {
  const draft = '$schema' in schema ? draftOf(schema['$schema']) : outer;
  if (draft === undefined) return brokenHere(schema, pointer, outer);
  const below = subschemasOf(schema).flatMap((sub) =>
    brokenIn(sub.schema as JsonObject, pointer + sub.pointer, draft),
  );
  return [...brokenHere(schema, pointer, draft), ...below];
}

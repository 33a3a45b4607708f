import type { SchemaFinding } from '../contract.ts';
import { isObject, pointerTo, type JsonObject } from './json.ts';
import { brokenPattern } from './patterns.ts';
import { subschemasOf } from './vocabulary.ts';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Keywords whose values are data and contain no rules. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

type Rule = (value: unknown, isRoot: boolean) => string | undefined;

const isLocal: Rule = (value) =>
  typeof value === 'string' && value.startsWith('#')
    ? undefined
    : 'must refer to a place in this schema, starting with "#"; put what it needs under $defs.';

/** A map, because in a plain object `constructor` would be a keyword. */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    $schema: (value) =>
      typeof value === 'string' && DIALECT.test(value)
        ? undefined
        : 'must be "https://json-schema.org/draft/2020-12/schema", or be left out.',
    $id: (_value, isRoot) => (isRoot ? undefined : 'may stand only at the top of the schema.'),
    $ref: isLocal,
    $dynamicRef: isLocal,
    $recursiveRef: () => 'belongs to another draft of JSON Schema; use $ref.',
    $async: () => 'is not a keyword of JSON Schema.',
    pattern: (value) => (typeof value === 'string' ? brokenPattern(value) : undefined),
  }),
);

function brokenHere(schema: JsonObject, pointer: string): SchemaFinding[] {
  const found: SchemaFinding[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const broken = RULES.get(keyword)?.(value, pointer === '');
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

/** Violations of our rules for schemas, which go beyond JSON Schema; pointers are relative to the schema. */
export function brokenRules(schema: JsonObject, pointer = ''): SchemaFinding[] {
  const below = subschemasOf(schema).flatMap((sub) =>
    brokenRules(sub.schema as JsonObject, pointer + sub.pointer),
  );
  return [...brokenHere(schema, pointer), ...below];
}

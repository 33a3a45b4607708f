import { isObject, pointerTo } from './json.ts';

/**
 * The values to which a subschema applies, relative to its parent: the `same` value, one `part` of it, `every` part of
 * it, or none because the subschema is only `defined`.
 */
export type Reach = 'same' | 'part' | 'every' | 'defined';

export interface Subschema {
  readonly schema: unknown;
  readonly reach: Reach;
  /** The JSON pointer from the parent. */
  readonly pointer: string;
}

/** Makes a map, because in a plain object `constructor` would be a keyword. */
function reaches(keywords: Readonly<Record<string, Reach>>): ReadonlyMap<string, Reach> {
  return new Map(Object.entries(keywords));
}

const SINGLE = reaches({
  not: 'same',
  if: 'same',
  then: 'same',
  else: 'same',
  items: 'every',
  contains: 'every',
  additionalItems: 'every',
  additionalProperties: 'every',
  propertyNames: 'every',
  unevaluatedItems: 'every',
  unevaluatedProperties: 'every',
  contentSchema: 'defined',
});

const LISTS = reaches({
  allOf: 'same',
  anyOf: 'same',
  oneOf: 'same',
  prefixItems: 'part',
});

const MAPS = reaches({
  properties: 'part',
  patternProperties: 'every',
  dependentSchemas: 'same',
  dependencies: 'same',
  $defs: 'defined',
  definitions: 'defined',
});

/** Keywords whose values are objects of subschemas by name. */
export const NAMES: ReadonlySet<string> = new Set(MAPS.keys());

/** Keywords whose values are data and contain no schemas. */
export const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);

const words = (...lines: readonly string[]): string[] => lines.join(' ').split(' ');

/** Keywords that may make a value invalid. */
export const ASSERTIONS: ReadonlySet<string> = new Set([
  ...[...SINGLE.keys()].filter((keyword) => SINGLE.get(keyword) !== 'defined'),
  ...LISTS.keys(),
  ...words(
    'properties patternProperties dependentSchemas dependencies $ref $dynamicRef type enum const minimum maximum',
    'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems',
    'minContains maxContains minProperties maxProperties required dependentRequired',
  ),
]);

/** The direct subschemas of a schema, by the keywords of JSON Schema 2020-12 and lists of items of older drafts. */
export function subschemasOf(schema: Readonly<Record<string, unknown>>): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const single = SINGLE.get(keyword);
    const isList = keyword === 'items' && Array.isArray(value);
    const many = isList ? 'part' : (LISTS.get(keyword) ?? MAPS.get(keyword));
    if (single !== undefined) found.push({ schema: value, reach: single, pointer: pointerTo(keyword) });
    if (many === undefined || !(Array.isArray(value) || isObject(value))) continue;
    for (const [name, inner] of Object.entries(value)) {
      found.push({ schema: inner, reach: many, pointer: pointerTo(keyword, name) });
    }
  }
  return found.filter(({ schema: inner }) => isObject(inner));
}

import type { SchemaShape } from '../validation/schema-shape.ts';

/** A time for fields that have no example of their own. */
const TIME = '2026-01-31T09:30:00.000Z';
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/**
 * A value that fits a schema: its own example, default or only value, or else one made of its parts. An optional field is
 * in it when it has an example of its own. `undefined` when a text has no example: nothing is made up for it.
 */
export function exampleOf(schema: SchemaShape): unknown {
  const { examples, enum: values, const: only, default: preset } = schema;
  if (examples && examples.length > 0) return examples[0];
  if (only !== undefined) return only;
  if (preset !== undefined) return preset;
  if (values && values.length > 0) return values[0];
  return composed(schema);
}

function composed(schema: SchemaShape): unknown {
  const { allOf, items } = schema;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch) return exampleOf(branch);
  if (allOf) return Object.assign({}, ...allOf.map(exampleOf)) as unknown;
  const types = [schema.type ?? []].flat();
  if (types.includes('object')) return objectExample(schema);
  if (types.includes('array')) return typeof items === 'object' ? listOf(exampleOf(items)) : [];
  return types.includes('null') ? (simple(types[0]!, schema) ?? null) : simple(types[0], schema);
}

function objectExample({ properties = {}, required = [] }: SchemaShape): unknown {
  const isShown = ([name, property]: readonly [string, SchemaShape]): boolean =>
    required.includes(name) || property.examples !== undefined;
  const fields = Object.entries(properties).filter(isShown);
  const members = fields.map(([name, property]) => {
    const value = exampleOf(property);
    return [name, value === undefined ? idFor(name) : value] as const;
  });
  return members.every(([, value]) => value !== undefined) ? Object.fromEntries(members) : undefined;
}

/** Fields that are named as identifiers need no example of their own. */
function idFor(name: string): string | undefined {
  return name === 'id' || name.endsWith('_id') ? ID : undefined;
}

function listOf(entry: unknown): unknown {
  return entry === undefined ? undefined : [entry];
}

function simple(type: string | undefined, { format, minimum = 0 }: SchemaShape): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  return format === 'date-time' ? TIME : undefined;
}

import type { FieldError } from '../../errors/problem.ts';
import { isRecord } from '../../support/record.ts';
import type { SchemaShape } from './schema-shape.ts';
import { tooManyEntries } from './validation-errors.ts';

/** Returns the errors of the lists in a value that are longer than their schema allows. */
export type ListBounds = (value: unknown) => readonly FieldError[];

/**
 * Compiles the bounds of the lists of a schema that are not inside other lists. They are checked before ajv, which goes
 * on to describe each of half a million wrong entries, and compares all of them in pairs for `uniqueItems`.
 */
export function compileListBounds(schema: SchemaShape): ListBounds {
  const most = new Map<string, { readonly path: readonly string[]; readonly maxItems: number }>();
  for (const { path, maxItems } of boundedLists(schema, [])) {
    const pointer = path.map((name) => `/${name}`).join('');
    most.set(pointer, { path, maxItems: Math.max(maxItems, most.get(pointer)?.maxItems ?? 0) });
  }
  const bounds = [...most];
  return (value) =>
    bounds.flatMap(([pointer, { path, maxItems }]) => {
      const list = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
      const isLonger = Array.isArray(list) && list.length > maxItems;
      return isLonger ? [{ pointer: `/body${pointer}`, message: tooManyEntries(maxItems) }] : [];
    });
}

function* boundedLists(
  schema: SchemaShape,
  path: readonly string[],
): Generator<{ readonly path: readonly string[]; readonly maxItems: number }> {
  const { maxItems, anyOf = [], oneOf = [], allOf = [], properties = {} } = schema;
  if (maxItems !== undefined) yield { path, maxItems };
  for (const branch of [...anyOf, ...oneOf, ...allOf]) yield* boundedLists(branch, path);
  for (const [name, property] of Object.entries(properties)) yield* boundedLists(property, [...path, name]);
}

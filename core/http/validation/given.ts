import { isRecord } from '../../support/record.ts';
import { admitsNull, type SchemaShape } from './schema-shape.ts';

/** Returns a parsed value as it is meant; changes objects and arrays in place. */
export type Given = (value: unknown) => unknown;

/**
 * Compiles how a body is meant by its schema: null for an optional field that cannot be null says that the field is not
 * given, and names (`format: 'name'`) have no white space at their ends. `undefined` when every body is meant as it is.
 */
export function compileGiven(shape: SchemaShape): Given | undefined {
  if (shape.format === 'name') return trimmed;
  const alternatives = (shape.anyOf ?? shape.oneOf ?? []).filter(({ type }) => type !== 'null');
  const parts = [
    ...(shape.allOf ?? []).map(compileGiven),
    // Among several alternatives nothing says which one is meant.
    alternatives.length === 1 ? compileGiven(alternatives[0]!) : undefined,
    givenFields(shape),
    typeof shape.items === 'object' ? givenItems(shape.items) : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length < 2) return parts[0];
  return (value) => parts.reduce((given, part) => part(given), value);
}

function trimmed(value: unknown): unknown {
  // A blank text stays, so that the sentence about it says blank.
  return typeof value === 'string' ? value.trim() || value : value;
}

function givenItems(items: SchemaShape): Given | undefined {
  const given = compileGiven(items);
  return given && ((value) => (Array.isArray(value) ? value.map(given) : value));
}

interface Field {
  readonly name: string;
  readonly dropsNull: boolean;
  readonly given: Given | undefined;
}

function givenFields(shape: SchemaShape): Given | undefined {
  const { properties = {}, required = [] } = shape;
  const fields: readonly Field[] = Object.entries(properties)
    .map(([name, property]) => ({
      name,
      dropsNull: !required.includes(name) && !admitsNull(property),
      given: compileGiven(property),
    }))
    .filter(({ dropsNull, given }) => dropsNull || given);
  const more = Object.values(shape.patternProperties ?? {})[0] ?? shape.additionalProperties;
  const others = typeof more === 'object' ? compileGiven(more) : undefined;
  if (fields.length === 0 && !others) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    for (const field of fields) give(value, field);
    if (others) {
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(properties, name)) value[name] = others(value[name]);
      }
    }
    return value;
  };
}

function give(value: Record<string, unknown>, { name, dropsNull, given }: Field): void {
  if (!Object.hasOwn(value, name)) return;
  if (dropsNull && value[name] === null) delete value[name];
  else if (given) value[name] = given(value[name]);
}

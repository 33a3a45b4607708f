import { isRecord } from '../../support/record.ts';
import { admitsNull, type SchemaShape } from './schema-shape.ts';

/** Returns a parsed value in its normal form; changes objects and arrays in place. */
export type Normaliser = (value: unknown) => unknown;

/**
 * Compiles the normalisation of a body: removes null from optional fields that cannot be null, and trims names
 * (`format: 'name'`). `undefined` when there is nothing to normalise.
 */
export function compileNormaliser(shape: SchemaShape): Normaliser | undefined {
  if (shape.format === 'name') return trimmed;
  const alternatives = (shape.anyOf ?? shape.oneOf ?? []).filter(({ type }) => type !== 'null');
  const parts = [
    ...(shape.allOf ?? []).map(compileNormaliser),
    // Among several alternatives nothing says which one is meant.
    alternatives.length === 1 ? compileNormaliser(alternatives[0]!) : undefined,
    fieldsNormaliser(shape),
    typeof shape.items === 'object' ? itemsNormaliser(shape.items) : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length < 2) return parts[0];
  return (value) => parts.reduce((normal, part) => part(normal), value);
}

function trimmed(value: unknown): unknown {
  // A blank text stays, so that the sentence about it says blank.
  return typeof value === 'string' ? value.trim() || value : value;
}

function itemsNormaliser(items: SchemaShape): Normaliser | undefined {
  const normalise = compileNormaliser(items);
  return normalise && ((value) => (Array.isArray(value) ? value.map(normalise) : value));
}

interface Field {
  readonly name: string;
  readonly dropsNull: boolean;
  readonly normalise: Normaliser | undefined;
}

function fieldsNormaliser(shape: SchemaShape): Normaliser | undefined {
  const { properties = {}, required = [] } = shape;
  const fields: readonly Field[] = Object.entries(properties)
    .map(([name, property]) => ({
      name,
      dropsNull: !required.includes(name) && !admitsNull(property),
      normalise: compileNormaliser(property),
    }))
    .filter(({ dropsNull, normalise }) => dropsNull || normalise);
  const more = Object.values(shape.patternProperties ?? {})[0] ?? shape.additionalProperties;
  const others = typeof more === 'object' ? compileNormaliser(more) : undefined;
  if (fields.length === 0 && !others) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    for (const field of fields) normaliseField(value, field);
    if (others) {
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(properties, name)) value[name] = others(value[name]);
      }
    }
    return value;
  };
}

function normaliseField(value: Record<string, unknown>, { name, dropsNull, normalise }: Field): void {
  if (!Object.hasOwn(value, name)) return;
  if (dropsNull && value[name] === null) delete value[name];
  else if (normalise) value[name] = normalise(value[name]);
}

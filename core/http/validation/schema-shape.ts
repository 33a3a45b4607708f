import type { TSchema } from 'typebox';

/** The parts of a JSON Schema that the server reads. */
export interface SchemaShape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly patternProperties?: Readonly<Record<string, SchemaShape>>;
  readonly additionalProperties?: boolean | SchemaShape;
  readonly required?: readonly string[];
  readonly items?: SchemaShape | boolean;
  readonly maxItems?: number;
  readonly anyOf?: readonly SchemaShape[];
  readonly oneOf?: readonly SchemaShape[];
  readonly allOf?: readonly SchemaShape[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly 'x-component'?: string;
}

export function shapeOf(schema: TSchema): SchemaShape {
  return schema as unknown as SchemaShape;
}

/** The JSON types that a value may have; empty when the schema does not say. */
export function typesOf(shape: SchemaShape): readonly string[] {
  if (typeof shape.type === 'string') return [shape.type];
  if (shape.type) return shape.type;
  if (shape.const !== undefined) return [typeof shape.const];
  return [...new Set((shape.anyOf ?? shape.oneOf ?? []).flatMap(typesOf))];
}

/** Whether null satisfies a schema. */
export function admitsNull(shape: SchemaShape): boolean {
  if (shape.enum) return shape.enum.includes(null);
  if ('const' in shape) return shape.const === null;
  if (shape.allOf) return shape.allOf.every(admitsNull);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.some(admitsNull);
  const types = typesOf(shape);
  return types.length === 0 || types.includes('null');
}

/** Whether a value may be a number of any size, such as 1e300, which a database refuses as a whole number. */
export function isUnboundedNumber(shape: SchemaShape): boolean {
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return alternatives.some(isUnboundedNumber);
  if (typeof shape.items === 'object') return isUnboundedNumber(shape.items);
  if (shape.enum || shape.const !== undefined) return false;
  const isNumber = typesOf(shape).some((type) => type === 'integer' || type === 'number');
  return isNumber && (shape.minimum === undefined || shape.maximum === undefined);
}

/** The properties that an object may have, or undefined when any are allowed. */
export function closedProperties(shape: SchemaShape): Readonly<Record<string, SchemaShape>> | undefined {
  if (shape.allOf) return closedIntersection(shape.allOf);
  const open = shape.additionalProperties !== undefined && shape.additionalProperties !== false;
  return shape.properties && !open && !shape.patternProperties ? shape.properties : undefined;
}

function closedIntersection(
  parts: readonly SchemaShape[],
): Readonly<Record<string, SchemaShape>> | undefined {
  const each = parts.map(closedProperties);
  return each.every((properties) => properties !== undefined) ? Object.assign({}, ...each) : undefined;
}

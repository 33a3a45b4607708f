import type { TSchema } from 'typebox';
import { isRecord } from '../../support/record.ts';
import type { Compiler } from './schema-compiler.ts';
import { closedProperties, shapeOf, type SchemaShape } from './schema-shape.ts';

/** Returns the declared part of a value; `undefined` when everything is declared. */
type Projection = ((value: unknown) => unknown) | undefined;

/**
 * Compiles a schema into a function that writes the declared part of a value as JSON. Values are copied field by
 * field and written by `JSON.stringify`; nothing is coerced, and free-form values stay whole. Only unions are validated,
 * so only their schemas are compiled: compiling all would take half of the start.
 */
export function compileSerializer(schema: TSchema, compiler: Compiler): (value: unknown) => string {
  const project = projection(shapeOf(schema), compiler);
  return (value) => {
    const text = JSON.stringify(project ? project(value) : value) as string | undefined;
    if (text === undefined)
      throw new Error('The handler answered nothing, where its schema declares a value.');
    return text;
  };
}

function projection(shape: SchemaShape, compiler: Compiler): Projection {
  const branches = shape.anyOf ?? shape.oneOf;
  if (branches) return unionProjection(branches, compiler);
  const properties = closedProperties(shape);
  if (properties) return objectProjection(properties, compiler);
  if (typeof shape.items === 'object') return arrayProjection(projection(shape.items, compiler));
  return mapProjection(shape, compiler);
}

function objectProjection(properties: Readonly<Record<string, SchemaShape>>, compiler: Compiler): Projection {
  const names = Object.keys(properties);
  const projections = names.map((name) => projection(properties[name]!, compiler));
  return (value) => {
    if (!isRecord(value)) return value;
    const picked: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i]!;
      const member = value[name];
      if (member === undefined) continue;
      const project = projections[i];
      picked[name] = project ? project(member) : member;
    }
    return picked;
  };
}

function arrayProjection(project: Projection): Projection {
  return project && ((value) => (Array.isArray(value) ? value.map(project) : value));
}

/** An object with free names whose values have a schema. */
function mapProjection(shape: SchemaShape, compiler: Compiler): Projection {
  const values = Object.values(shape.patternProperties ?? {})[0] ?? shape.additionalProperties;
  const others = typeof values === 'object' ? projection(values, compiler) : undefined;
  const known = Object.entries(shape.properties ?? {}).map(
    ([name, property]) => [name, projection(property, compiler)] as const,
  );
  const named = new Map(known);
  if (!others && known.every(([, project]) => project === undefined)) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const project = named.has(name) ? named.get(name) : others;
        return [name, project ? project(member) : member];
      }),
    );
  };
}

/** Projects a value by the first branch that it satisfies; throws when it satisfies none. */
function unionProjection(branches: readonly SchemaShape[], compiler: Compiler): Projection {
  const compiled = branches.map((branch) => ({
    accepts: compiler.compile(branch as TSchema),
    project: projection(branch, compiler),
  }));
  if (compiled.every(({ project }) => project === undefined)) return undefined;
  return (value) => {
    const branch = compiled.find(({ accepts }) => accepts(value));
    if (!branch) throw new Error('The handler answered a value that fits none of the declared forms.');
    return branch.project ? branch.project(value) : value;
  };
}

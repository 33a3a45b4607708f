import { isRaw, type Route } from '../routing/route.ts';
import { shapeOf, type SchemaShape } from '../validation/schema-shape.ts';
import { schemaCompiler, type Compiler } from '../validation/schema-compiler.ts';
import { exampleOf } from './example.ts';

/** What the check needs to know of a plugin. */
interface DocumentedPlugin {
  readonly id: string;
  readonly routes?: readonly Route[] | undefined;
}

/**
 * What readers of the OpenAPI document miss about the routes of a plugin, one sentence each: operations, parameters and
 * fields without a description, lists in bodies without a bound, and bodies and answers whose example is missing or does
 * not fit its schema. The service starts with such routes all the same.
 */
export function documentGaps({ id, routes = [] }: DocumentedPlugin): readonly string[] {
  const compiler = schemaCompiler();
  return routes
    .filter(({ hidden }) => !hidden)
    .flatMap((route) =>
      [...gapsOf(route, compiler)].map((gap) => `Plugin "${id}": ${route.operationId} ${gap}`),
    );
}

function* gapsOf(route: Route, compiler: Compiler): Generator<string> {
  const { path, parameters = {}, query, body, answers, example = {} } = route;
  if (!route.description) yield 'has no description.';
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!parameters[name]?.description)
      yield `has the path parameter "${name}" without a description in "parameters".`;
  }
  if (query) yield* undescribed(shapeOf(query), 'query');
  if (body) {
    yield* undescribed(shapeOf(body), 'body');
    yield* unboundedLists(shapeOf(body), 'body');
    if (!route.files) yield* exampleGap(shapeOf(body), example.body, 'body', compiler);
  }
  if (isRaw(answers)) return;
  yield* undescribed(shapeOf(answers), 'answer');
  yield* exampleGap(shapeOf(answers), example.answer, 'answer', compiler);
}

function* exampleGap(
  schema: SchemaShape,
  own: unknown,
  where: string,
  compiler: Compiler,
): Generator<string> {
  const example = own ?? exampleOf(schema);
  if (example === undefined) {
    yield `has no example of its ${where}: give "examples" to "${withoutExample(schema, where)}".`;
    return;
  }
  const fits = compiler.compile(schema as never);
  // Compiled schemas fill in defaults, which must not reach the example.
  if (fits(structuredClone(example))) return;
  const [fault] = fits.errors ?? [];
  yield `has an example of its ${where} that breaks the schema at "${fault?.instancePath}": ${fault?.message}.`;
}

/** The innermost place that lacks an example. */
function withoutExample(schema: SchemaShape, place: string): string {
  const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
    schema.required?.includes(name),
  );
  for (const [name, property] of required) {
    const alone = { type: 'object', properties: { [name]: property }, required: [name] };
    if (exampleOf(alone) === undefined) return withoutExample(property, `${place}/${name}`);
  }
  return typeof schema.items === 'object' ? withoutExample(schema.items, place) : place;
}

function* undescribed(schema: SchemaShape, where: string): Generator<string> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const place = `${where}/${name}`;
    if (!isDescribed(property)) yield `has the field "${place}" without a description.`;
    yield* undescribed(property, place);
  }
  if (typeof schema.items === 'object') yield* undescribed(schema.items, where);
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* undescribed(branch, where);
}

/** Without a bound a megabyte of entries is checked one by one, and each wrong one is described. */
function* unboundedLists(schema: SchemaShape, where: string): Generator<string> {
  const { items, maxItems, properties = {}, anyOf = [], oneOf = [] } = schema;
  if (items !== undefined && maxItems === undefined) yield `has the list "${where}" without "maxItems".`;
  if (typeof items === 'object') yield* unboundedLists(items, where);
  for (const [name, property] of Object.entries(properties))
    yield* unboundedLists(property, `${where}/${name}`);
  for (const branch of [...anyOf, ...oneOf]) yield* unboundedLists(branch, where);
}

/** A description may stand in a branch: `nullable` of a described schema. A named schema is described where it is named. */
function isDescribed(schema: SchemaShape): boolean {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return Boolean(schema.description ?? schema['x-component']) || branches.some(isDescribed);
}

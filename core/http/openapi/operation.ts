import type { TSchema } from 'typebox';
import { scopeOf, type Scope } from '../../auth/scope.ts';
import type { ProblemDeclaration } from '../../errors/problem.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './example.ts';
import { describeHeaders } from './headers.ts';
import type { Links } from './links.ts';
import { isList, LIST_HEADERS } from '../lists.ts';
import { problemResponses } from './problems.ts';
import { isRaw, type FileLimits, type Route } from '../routing/route.ts';
import { TAG_HEADERS } from '../tagged-bytes.ts';
import { shapeOf } from '../validation/schema-shape.ts';

/** In characters. A shorter example is hardly longer than a reference to it. */
const LONG_EXAMPLE = 150;

/** What all operations of the document share. */
export interface SharedParts {
  readonly components: Components;
  readonly links: Links;
  /** What verifiers of credentials throw. */
  readonly ofCredentials: readonly ProblemDeclaration[];
}

/** One operation of the document. `tag` is the plugin that serves it. */
export function describeOperation(
  route: Route,
  tag: string,
  { components, links, ofCredentials }: SharedParts,
): Json {
  const parameters = [...pathParameters(route, links), ...queryParameters(route.query, components)].map(
    (parameter) => components.shared('parameters', parameter.name, parameter),
  );
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...security(route),
    ...(parameters.length > 0 && { parameters }),
    ...((route.body ?? route.files) && { requestBody: requestBody(route, components) }),
    responses: {
      200: { ...success(route, components), ...links.of(route) },
      ...otherStatuses(route, components),
      ...problemResponses(route, components, ofCredentials),
    },
  };
}

const TOKEN = { bearer: [] };
const SESSION = { cookieAuth: [] };
const credentials = (scope: Scope): readonly Json[] => [TOKEN, { apiKey: [scope] }, SESSION];

/** The scope that most operations need of an API key, and what these accept: the document says it once. */
const USUAL_SCOPE = 'manage';
export const USUAL_SECURITY = credentials(USUAL_SCOPE);

/**
 * The credentials that an operation accepts: a token or a session, and also an API key unless the account itself must have
 * signed in. A public operation needs none, and may show more to a caller who sends one.
 */
function security(route: Route): { readonly security?: readonly Json[] } {
  const { access } = route;
  if (access === 'anonymous') return { security: [] };
  if (access === 'public') return { security: [{}, TOKEN, { apiKey: [] }, SESSION] };
  if (access === 'account') return { security: [TOKEN, SESSION] };
  const scope = scopeOf(route);
  return scope === USUAL_SCOPE ? {} : { security: credentials(scope) };
}

type Parameter = Json & { readonly name: string };

function pathParameters({ path, parameters = {} }: Route, links: Links): Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => {
    const { description, example } = parameters[name] ?? {};
    const source = example === undefined ? links.sourcesOf(name) : undefined;
    const words = [description, source].filter(Boolean).join(' ');
    return {
      name,
      in: 'path',
      required: true,
      ...(words && { description: words }),
      ...(example !== undefined && { example }),
      schema: { type: 'string' },
    };
  });
}

function queryParameters(query: TSchema | undefined, components: Components): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = shapeOf(query);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...schema } = property;
    return {
      name,
      in: 'query',
      ...(required.includes(name) && property.default === undefined && { required: true }),
      ...(description && { description }),
      ...(examples && { example: examples[0] }),
      schema: components.schema(schema as TSchema),
    };
  });
}

function requestBody({ body, files, example }: Route, components: Components): Json {
  const schema = body && components.schema(body);
  const content = files
    ? { 'multipart/form-data': { schema: { allOf: [...(schema ? [schema] : []), fileFields(files)] } } }
    : { 'application/json': { schema, ...shown(example?.body ?? exampleOf(shapeOf(body!))) } };
  return { required: true, content };
}

/** A long example of a schema with a name stands in the document once. */
function shownAnswer(answers: TSchema, example: unknown, components: Components): Json {
  const name = shapeOf(answers)['x-component'];
  if (name === undefined || JSON.stringify(example ?? '').length < LONG_EXAMPLE) return shown(example);
  return { examples: { [name]: components.shared('examples', name, { value: example }) } };
}

function shown(example: unknown): Json {
  return example === undefined ? {} : { example };
}

function fileFields({ maxCount, maxBytes }: FileLimits): Json {
  return {
    type: 'object',
    description: `At most ${maxCount} files of ${maxBytes} bytes each, in fields of any name.`,
    additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
  };
}

function success(route: Route, components: Components): Json {
  const own = { ...(isList(route) && LIST_HEADERS), ...(route.isTagged && TAG_HEADERS), ...route.headers };
  return {
    description: 'OK',
    ...describeHeaders(200, own, components),
    content: content(route, components),
  };
}

function otherStatuses(route: Route, components: Components): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(route.otherStatuses ?? {}).map(([status, description]) => [
      status,
      { description, content: content(route, components) },
    ]),
  );
}

function content({ answers, example }: Route, components: Components): Json {
  if (isRaw(answers)) {
    const types = [answers.contentType, ...answers.otherTypes].map((type) => type.split(';')[0]!);
    const schemaOf = (type: string): Json => (type === 'application/json' ? {} : { type: 'string' });
    return Object.fromEntries(
      types.map((type) => [type, { schema: schemaOf(type), ...shown(example?.answer) }]),
    );
  }
  return {
    'application/json': {
      schema: components.schema(answers),
      ...shownAnswer(answers, example?.answer ?? exampleOf(shapeOf(answers)), components),
    },
  };
}

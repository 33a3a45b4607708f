import type { TSchema } from 'typebox';
import { scopeOf } from '../../auth/scope.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './example.ts';
import { describeHeaders } from './headers.ts';
import { problemResponses } from './problems.ts';
import { isRaw, type FileLimits, type Route } from '../routing/route.ts';
import { shapeOf } from '../validation/schema-shape.ts';

/** One operation of the document. `tag` is the plugin that serves it. */
export function describeOperation(route: Route, tag: string, components: Components): Json {
  const parameters = [...pathParameters(route), ...queryParameters(route.query, components)].map(
    (parameter) => components.parameter(parameter.name, parameter),
  );
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: security(route),
    ...(parameters.length > 0 && { parameters }),
    ...((route.body ?? route.files) && { requestBody: requestBody(route, components) }),
    responses: { 200: success(route, components), ...problemResponses(route, components) },
  };
}

/**
 * The credentials that an operation accepts: a token or a session, and also an API key unless the account itself must have
 * signed in. A public operation needs none, and may show more to a caller who sends one.
 */
function security(route: Route): readonly Json[] {
  const { access } = route;
  if (access === 'anonymous') return [];
  const [token, session] = [{ bearer: [] }, { cookieAuth: [] }];
  if (access === 'public') return [{}, token, { apiKey: [] }, session];
  return access === 'account' ? [token, session] : [token, { apiKey: [scopeOf(route)] }, session];
}

type Parameter = Json & { readonly name: string };

function pathParameters({ path, parameters = {} }: Route): Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...parameters[name],
    schema: { type: 'string' },
  }));
}

function queryParameters(query: TSchema | undefined, components: Components): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = shapeOf(query);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...schema } = property;
    return {
      name,
      in: 'query',
      required: required.includes(name) && property.default === undefined,
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
  return {
    description: 'Done.',
    headers: describeHeaders(200, route.headers),
    content: content(route, components),
  };
}

function content({ answers, example }: Route, components: Components): Json {
  if (isRaw(answers)) {
    return {
      [answers.contentType.split(';')[0]!]: { schema: { type: 'string' }, ...shown(example?.answer) },
    };
  }
  return {
    'application/json': {
      schema: components.schema(answers),
      ...shown(example?.answer ?? exampleOf(shapeOf(answers))),
    },
  };
}

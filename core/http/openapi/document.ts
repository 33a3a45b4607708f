import type { ProblemDeclaration } from '../../errors/problem.ts';
import { coreProblems } from '../../errors/core-problem-list.ts';
import type { ApiDescription } from './api-description.ts';
import { Components, type Json } from './components.ts';
import { Links } from './links.ts';
import { describeOperation, USUAL_SECURITY } from './operation.ts';
import { problemSchema } from './problems.ts';
import { rootPath } from '../routing/mounted-route.ts';
import type { Route } from '../routing/route.ts';

const INTRODUCTION =
  'Register (`registerUser`), sign in (`loginUser`) and send the token as `Authorization: Bearer`, or create an API key ' +
  '(`createApiKey`) and send it as `X-API-Key`. Find an algorithm (`listAlgorithms`) and call one of its versions ' +
  '(`callAlgorithm`): the answer is the record of the call, which `listUserCalls` lists later.\n\n' +
  'An answer that is not a success is a `Problem`; programs look at its `code`. A failing algorithm is not such ' +
  'an error: the answer is a call record with the status `failed`. Unknown fields of a body are ignored; unknown query ' +
  'parameters are refused. Times are in UTC; identifiers are opaque strings. Every answer has ' +
  '`X-Request-Id`, the one that was sent or a new one, which finds the request in the log.';

/** What the document needs to know of a plugin. */
export interface DescribedPlugin {
  readonly id: string;
  readonly summary: string;
  readonly routes: readonly Route[];
  readonly problems?: readonly ProblemDeclaration[];
}

export interface ApiDescriptionOptions {
  /** The path prefix, such as `/api/v1`. */
  readonly basePath: string;
  /** The address under which clients reach the server, without the base path; `undefined` when it is not known. */
  readonly publicAddress?: string | undefined;
  /** The version of the service. */
  readonly version: string;
  readonly plugins: readonly DescribedPlugin[];
}

/** Creates the API description. The document is made when it is first asked for, and throws what `describeApi` throws. */
export function createApiDescription(options: ApiDescriptionOptions): ApiDescription {
  let described: Json | undefined;
  const { basePath, publicAddress } = options;
  const root = rootPath(basePath);
  const publicUrl = publicAddress === undefined ? undefined : new URL(`${publicAddress}${root}/`);
  return { basePath, rootPath: root, publicUrl, document: () => (described ??= describeApi(options)) };
}

/**
 * The OpenAPI 3.1 document of the routes that are not hidden, from the schemas that validate them. Throws `StartupError`
 * when two different schemas have one name.
 */
export function describeApi(options: ApiDescriptionOptions): Json {
  const { basePath, publicAddress = '', version, plugins } = options;
  const rootUrl = publicAddress + rootPath(basePath);
  const components = new Components();
  const shown = plugins.filter(({ routes }) => routes.some(({ hidden }) => !hidden));
  const paths = describePaths(shown, components, rootUrl);
  const { schemas, ...shared } = components.all();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version,
      summary: 'A showcase of algorithms that can be called.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicAddress + basePath }],
    security: USUAL_SECURITY,
    tags: shown.map(({ id, summary }) => ({ name: id, description: summary })),
    paths,
    components: {
      schemas: { ...schemas, Problem: problemSchema(codesOf(plugins)) },
      ...shared,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token of a login. An API key is accepted in its place.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'An API key. One that is kept to scopes needs the one that the operation lists, or else `manage`.',
        },
        cookieAuth: {
          type: 'apiKey',
          in: 'cookie',
          name: 'vitrine_session',
          description:
            'A session (`openSession`) of a page of this service. A token or key beside it decides.',
        },
      },
    },
  };
}

function codesOf(plugins: readonly DescribedPlugin[]): readonly string[] {
  const problems = [...coreProblems, ...plugins.flatMap(({ problems = [] }) => problems)];
  return [...new Set(problems.map(({ code }) => code))].sort();
}

function describePaths(plugins: readonly DescribedPlugin[], components: Components, rootUrl: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  const links = new Links(plugins.flatMap(({ routes }) => routes.filter(({ hidden }) => !hidden)));
  const ofCredentials = plugins
    .flatMap(({ problems = [] }) => problems)
    .filter(({ isOfCredentials }) => isOfCredentials);
  for (const { id, routes } of plugins) {
    for (const route of routes.filter(({ hidden }) => !hidden)) {
      const item = (paths[route.path] ??= route.atRoot ? { servers: [{ url: rootUrl || '/' }] } : {});
      components.place = `${route.operationId} of plugin "${id}"`;
      item[route.method.toLowerCase()] = describeOperation(route, id, { components, links, ofCredentials });
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b)));
}

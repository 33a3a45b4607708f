import type { ApiDescription } from './api-description.ts';
import { Components, type Json } from './components.ts';
import { commonHeaders } from './headers.ts';
import { describeOperation } from './operation.ts';
import { ProblemSchema } from './problems.ts';
import type { Route } from '../routing/route.ts';

/** What the document needs to know of a plugin. */
export interface DescribedPlugin {
  readonly id: string;
  readonly summary: string;
  readonly routes: readonly Route[];
}

export interface ApiDescriptionOptions {
  /** The path prefix, such as `/api/v1`. */
  readonly basePath: string;
  /** The version of the service. */
  readonly version: string;
  readonly title?: string;
  readonly plugins: readonly DescribedPlugin[];
}

/** Creates the API description. Throws `StartupError` when two different schemas have one name. */
export function createApiDescription(options: ApiDescriptionOptions): ApiDescription {
  const described = describeApi(options);
  return { basePath: options.basePath, document: () => described };
}

/** The OpenAPI 3.1 document of the routes that are not hidden, from the schemas that validate them. */
export function describeApi({ basePath, version, title = 'Vitrine', plugins }: ApiDescriptionOptions): Json {
  const components = new Components();
  const shown = plugins.filter(({ routes }) => routes.some(({ hidden }) => !hidden));
  const paths = describePaths(shown, components);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary: 'A showcase of algorithms that can be called.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath }],
    tags: shown.map(({ id, summary }) => ({ name: id, description: summary })),
    paths,
    components: {
      schemas: { ...components.all(), Problem: ProblemSchema },
      headers: commonHeaders,
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
          description: 'An API key. One that is kept to scopes needs the one that the operation lists here.',
        },
      },
    },
  };
}

function describePaths(plugins: readonly DescribedPlugin[], components: Components): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { id, routes } of plugins) {
    for (const route of routes.filter(({ hidden }) => !hidden)) {
      const item = (paths[route.path] ??= route.atRoot ? { servers: [{ url: '/' }] } : {});
      item[route.method.toLowerCase()] = describeOperation(route, id, components);
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b)));
}

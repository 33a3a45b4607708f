import { jsonObject, rawContent, routesWith } from '../../core/index.ts';
import { PAGES } from './pages.ts';

const route = routesWith({ pages: PAGES });

export const routes = [
  route({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Describes every operation that is enabled here, as OpenAPI 3.1',
    description: 'Open to all. Operations of plugins that are switched off are missing.',
    access: 'public',
    answers: jsonObject({
      description: 'An OpenAPI 3.1 document.',
      examples: [{ openapi: '3.1.0', info: { title: 'Vitrine', version: '1.0.0' }, paths: {} }],
    }),
    isTagged: true,
    handle: (_, { pages }) => pages.document(),
  }),
  route({
    method: 'GET',
    path: '/docs',
    atRoot: true,
    hidden: true,
    operationId: 'getReferencePage',
    summary: 'Shows the OpenAPI document to people',
    access: 'anonymous',
    answers: rawContent('text/html; charset=utf-8'),
    handle: ({ request }, { pages }) => pages.page(request.path),
  }),
  route({
    method: 'GET',
    path: '/docs/{file}',
    atRoot: true,
    hidden: true,
    operationId: 'getReferenceFile',
    summary: 'Serves what the reference page needs',
    access: 'anonymous',
    answers: rawContent('application/octet-stream'),
    handle: ({ path }, { pages }) => pages.file(path.file),
  }),
];

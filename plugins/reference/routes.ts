import { jsonObject, rawContent, routesWith, TAG_HEADERS } from '../../core/index.ts';
import { PAGES } from './pages.ts';

const route = routesWith({ pages: PAGES });

export const routes = [
  route({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Describes every operation that is enabled here, as OpenAPI 3.1',
    access: 'public',
    answers: jsonObject({ description: 'An OpenAPI 3.1 document.' }),
    headers: TAG_HEADERS,
    handle: (_, { pages }) => pages.document(),
  }),
  route({
    method: 'GET',
    path: '/docs',
    atRoot: true,
    hidden: true,
    operationId: 'getReferencePage',
    summary: 'Shows the OpenAPI document to people',
    access: 'public',
    answers: rawContent('text/html; charset=utf-8'),
    handle: (_, { pages }) => pages.page(),
  }),
  route({
    method: 'GET',
    path: '/docs/{file}',
    atRoot: true,
    hidden: true,
    operationId: 'getReferenceFile',
    summary: 'Serves what the reference page needs',
    access: 'public',
    answers: rawContent('application/octet-stream'),
    handle: ({ path }, { pages }) => pages.file(path.file),
  }),
];

import Type from 'typebox';
import type { MountedRoute } from './routing/mounted-route.ts';
import { routesWith } from './routing/route.ts';

const route = routesWith({});

const RootAnswer = Type.Object({ service: Type.String(), api: Type.String(), health: Type.String() });

/** What is at the root of an installation where no plugin serves a page there: a hint to where the operations are. */
export function rootRoute(basePath: string): MountedRoute {
  return {
    plugin: 'core',
    deps: {},
    route: route({
      method: 'GET',
      path: '/',
      atRoot: true,
      hidden: true,
      fallback: true,
      operationId: 'getRoot',
      summary: 'Names the API where no plugin has a page at the root',
      access: 'anonymous',
      answers: RootAnswer,
      handle: () => ({ service: 'vitrine', api: basePath, health: '/livez' }),
    }),
  };
}

import type { Route } from '../../http/routing/route.ts';

/** What a panel must know of a route of its plugin. */
export type OwnRoute = Pick<Route, 'method' | 'path' | 'operationId' | 'answers' | 'atRoot'>;

/** The GET route that a panel is filled from, by its `operationId` or its path: it answers JSON, and its path needs nothing. */
export function routeOf(from: string, routes: readonly OwnRoute[]): OwnRoute | undefined {
  return routes.find(
    ({ method, path, operationId, atRoot, answers }) =>
      [path, operationId].includes(from) &&
      method === 'GET' &&
      !atRoot &&
      !path.includes('{') &&
      (answers as { kind?: unknown }).kind !== 'raw',
  );
}

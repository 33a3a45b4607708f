import type { Route } from '../../http/routing/route.ts';

/** The GET route that a panel is filled from, by its `operationId` or its path: it answers JSON, and its path needs nothing. */
export function routeOf(from: string, routes: readonly Route[]): Route | undefined {
  return routes.find(
    ({ method, path, operationId, atRoot, answers }) =>
      [path, operationId].includes(from) &&
      method === 'GET' &&
      !atRoot &&
      !path.includes('{') &&
      (answers as { kind?: unknown }).kind !== 'raw',
  );
}

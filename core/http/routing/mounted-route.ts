import type { Route } from './route.ts';

/** A route with its owner and its resolved dependencies: ready to serve. */
export interface MountedRoute {
  /** The plugin that declares it, or `core`. */
  readonly plugin: string;
  readonly route: Route;
  /** Whether its plugin is built in: its schemas, which tests have compiled, are compiled on their first use only. */
  readonly isBuiltIn?: boolean;
  /** Whether the path of the route is complete, so that no prefix is put before it. */
  readonly isAbsolute?: boolean;
  /** What the handler receives as its second argument. */
  readonly deps: unknown;
}

/** The path of a route as clients see it. */
export function fullPath(
  { route, isAbsolute }: Pick<MountedRoute, 'route' | 'isAbsolute'>,
  basePath: string,
): string {
  if (isAbsolute) return route.path;
  const prefix = route.atRoot ? rootPath(basePath) : basePath;
  // Requests are routed without a slash at their end.
  return route.path === '/' && prefix !== '' ? prefix : prefix + route.path;
}

const API_PATH = '/api/v1';

/** What a base path has before its `/api/v1`: the prefix of pages, metrics and probes. Empty for other base paths. */
export function rootPath(basePath: string): string {
  return basePath.endsWith(API_PATH) ? basePath.slice(0, -API_PATH.length) : '';
}

import type { Route } from './route.ts';

/** A route with its owner and its resolved dependencies: ready to serve. */
export interface MountedRoute {
  /** The plugin that declares it, or `core`. */
  readonly plugin: string;
  readonly route: Route;
  /** Whether tests have compiled its schemas already, so that each is compiled only on its first use. */
  readonly isProven?: boolean;
  /** What the handler receives as its second argument. */
  readonly deps: unknown;
}

/** The path of a route as clients see it. */
export function fullPath(route: Pick<Route, 'path' | 'atRoot'>, basePath: string): string {
  return route.atRoot ? route.path : basePath + route.path;
}

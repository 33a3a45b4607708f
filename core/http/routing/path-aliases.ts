import type { Fault } from '../../errors/startup-error.ts';
import type { MountedRoute } from './mounted-route.ts';
import type { Route } from './route.ts';

/**
 * Routes that serve existing routes under another first segment: `gitea=repohost` answers `/gitea/config` as
 * `/repohost/config`. They are not in the OpenAPI document.
 */
export function aliasRoutes(
  routes: readonly MountedRoute[],
  aliases: readonly string[],
): readonly MountedRoute[] {
  return aliases.flatMap((alias) => {
    const [name, segment] = partsOf(alias);
    const served = routes.filter(({ route }) => isBelow(route, segment));
    return served.map(({ route, ...mounted }) => ({
      ...mounted,
      route: {
        ...route,
        path: `/${name}${route.path.slice(segment.length + 1)}`,
        operationId: `${route.operationId}At${name}`,
        hidden: true,
      },
    }));
  });
}

/** A fault for each alias of a segment that no route serves. */
export function aliasFaults(routes: readonly Route[], aliases: readonly string[]): Fault[] {
  return aliases.flatMap((alias) => {
    const [, segment] = partsOf(alias);
    if (routes.some((route) => isBelow(route, segment))) return [];
    return {
      message: `server.path_aliases (SERVER_PATH_ALIASES) has "${alias}", but no enabled plugin serves "/${segment}" or a path below it.`,
      setting: 'server.path_aliases',
      env: 'SERVER_PATH_ALIASES',
    };
  });
}

function partsOf(alias: string): readonly [name: string, segment: string] {
  return alias.split('=') as [string, string];
}

function isBelow({ atRoot, path }: Pick<Route, 'atRoot' | 'path'>, segment: string): boolean {
  return !atRoot && `${path}/`.startsWith(`/${segment}/`);
}

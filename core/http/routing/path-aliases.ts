import { StartupError } from '../../errors/startup-error.ts';
import type { MountedRoute } from './mounted-route.ts';

/**
 * Routes that serve existing routes under another first segment: `gitea=repohost` answers `/gitea/config` as
 * `/repohost/config`. They are not in the OpenAPI document. Throws `StartupError` for a segment that no plugin serves.
 */
export function aliasRoutes(
  routes: readonly MountedRoute[],
  aliases: readonly string[],
): readonly MountedRoute[] {
  return aliases.flatMap((alias) => {
    const [name, segment] = alias.split('=') as [string, string];
    const served = routes.filter(({ route }) => !route.atRoot && `${route.path}/`.startsWith(`/${segment}/`));
    if (served.length === 0) {
      throw new StartupError(
        `server.path_aliases (SERVER_PATH_ALIASES) has "${alias}", but no enabled plugin serves "/${segment}" or a path below it.`,
      );
    }
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

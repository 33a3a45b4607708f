import { fullPath, type MountedRoute } from './mounted-route.ts';

/**
 * The routes without those that give way: of several for one method and path, a fallback stays only when no other route
 * serves it, and of several fallbacks the last one stays. Routes of the kernel come first.
 */
export function withoutReplaced(routes: readonly MountedRoute[], basePath: string): readonly MountedRoute[] {
  const keyOf = (mounted: MountedRoute) => `${mounted.route.method} ${fullPath(mounted, basePath)}`;
  const owners = new Map<string, MountedRoute>();
  for (const mounted of routes) {
    const owner = owners.get(keyOf(mounted));
    if (!owner || owner.route.fallback) owners.set(keyOf(mounted), mounted);
  }
  return routes.filter((mounted) => !mounted.route.fallback || owners.get(keyOf(mounted)) === mounted);
}

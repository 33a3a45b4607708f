import { useQuery } from '@tanstack/react-query';
import { pluginsQuery } from './queries.ts';

/** Tells whether a plugin is on; of those that nobody tells about, all but the one that would tell. */
export function useIsOn(): (plugin: string) => boolean {
  const { data } = useQuery(pluginsQuery);
  if (!data) return (plugin) => data === undefined || plugin !== 'monitoring';
  const on = new Set(data.filter(({ state }) => state === 'on').map(({ id }) => id));
  return (plugin) => on.has(plugin);
}

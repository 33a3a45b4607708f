import { useQueries } from '@tanstack/react-query';
import { groupQuery } from '../../queries.ts';

const STALE_MS = 60_000;

/** The names of groups by their ids. */
export function useGroupNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)];
  const found = useQueries({
    queries: wanted.map((id) => ({ ...groupQuery(id), retry: false, staleTime: STALE_MS })),
  });
  return new Map(found.flatMap(({ data }, i) => (data ? [[wanted[i]!, data.name] as const] : [])));
}

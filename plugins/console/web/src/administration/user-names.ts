import { useQueries, useQuery } from '@tanstack/react-query';
import { userQuery, usersQuery } from './queries.ts';

const STALE_MS = 60_000;

/** The names of accounts by their ids. One page of the list has those of most installations; the others are asked for. */
export function useUserNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...usersQuery({ limit: 100 }), staleTime: STALE_MS });
  const names = new Map(data?.rows.map(({ id, username }) => [id, username]));
  const missing = data ? [...new Set(ids)].filter((id) => !names.has(id)) : [];
  const others = useQueries({
    queries: missing.map((id) => ({ ...userQuery(id), retry: false, staleTime: STALE_MS })),
  });
  others.forEach(({ data: user }, i) => {
    if (user) names.set(missing[i]!, user.username);
  });
  return names;
}

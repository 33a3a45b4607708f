import { useQueries, useQuery } from '@tanstack/react-query';
import { algorithmQuery, algorithmsQuery } from '../api/queries.ts';
import { text } from '../texts/text.ts';

const STALE_MS = 60_000;

/** The names of algorithms by their ids. One page of the catalogue has most of them; an algorithm may have been deleted. */
export function useAlgorithmNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...algorithmsQuery({ sort: 'name', limit: 100 }), staleTime: STALE_MS });
  const names = new Map(data?.algorithms.map(({ id, name }) => [id, name]));
  const missing = data ? [...new Set(ids)].filter((id) => !names.has(id)) : [];
  const others = useQueries({
    queries: missing.map((id) => ({ ...algorithmQuery(id), retry: false, staleTime: STALE_MS })),
  });
  others.forEach(({ data: algorithm, error }, i) => {
    if (algorithm ?? error) names.set(missing[i]!, algorithm?.name ?? text.history.deleted);
  });
  return names;
}

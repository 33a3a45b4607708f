import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ApiError, dataOf } from '../api/client.ts';
import { meQuery, type User } from '../api/queries.ts';

const managesQuery = (algorithm_id: string, { id, role }: User) =>
  queryOptions({
    queryKey: ['manages', algorithm_id, id],
    queryFn: async (): Promise<boolean> => {
      if (role === 'admin') return true;
      try {
        const body = { algorithm_id, permission_type: 'manage' as const };
        return (await dataOf(api.POST('/permissions/check', { body }))).has_permission;
      } catch (error) {
        // Where no plugin keeps grants, only administrators manage algorithms.
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
    staleTime: 60_000,
  });

const NOBODY: User = { id: '', role: 'user' } as User;

/** Whether the account that is signed in may change an algorithm; `undefined` until that is known. */
export function useManages(algorithmId: string): boolean | undefined {
  const { data: me } = useQuery(meQuery);
  const { data, isError } = useQuery({ ...managesQuery(algorithmId, me ?? NOBODY), enabled: Boolean(me) });
  return me === null || isError ? false : data;
}

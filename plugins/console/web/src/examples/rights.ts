import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAccount } from '../account/signed-in.tsx';
import { api, dataUnlessOff } from '../api/client.ts';
import { meQuery, type User } from '../api/queries.ts';

const managesQuery = (algorithm_id: string, { id, role }: User) =>
  queryOptions({
    queryKey: ['manages', algorithm_id, id],
    queryFn: async ({ signal }): Promise<boolean> => {
      if (role === 'admin') return true;
      const body = { algorithm_id, permission_type: 'manage' as const };
      // Where no plugin keeps grants, only administrators manage algorithms.
      return (await dataUnlessOff(api.POST('/permissions/check', { body, signal })))?.has_permission ?? false;
    },
    staleTime: 60_000,
  });

const NOBODY: User = { id: '', role: 'user' } as User;

/** Whether the account of the screen, or else the one that is signed in, may change an algorithm; `undefined` until that is known. */
export function useManages(algorithmId: string): boolean | undefined {
  const { data: me } = useQuery(meQuery);
  const account = useAccount() ?? me;
  const asked = { ...managesQuery(algorithmId, account ?? NOBODY), enabled: Boolean(account) };
  const { data, isError } = useQuery(asked);
  return account === null ? false : (data ?? (isError ? false : undefined));
}

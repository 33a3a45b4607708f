import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from 'vitrine/client';
import { api, dataOf } from '../../api/client.ts';
import { ADMINISTRATION, type QueryOf } from '../queries.ts';
import type { CheckSearch } from './addresses.ts';

export type Policy = components['schemas']['GatewayPolicy'];
export type Block = components['schemas']['GatewayBlock'];
export type Circuit = components['schemas']['GatewayCircuit'];
export type Check = components['schemas']['GatewayCheck'];
export type Statistics = components['schemas']['GatewayStatistics'];

/** What changes by itself is asked for again while it is looked at. */
const REFRESH_MS = 5_000;

export const policiesQuery = (query: QueryOf<'/gateway/policies'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'policies', query],
    queryFn: async ({ signal }) => {
      const { policies, total } = await dataOf(api.GET('/gateway/policies', { params: { query }, signal }));
      return { rows: policies, total };
    },
    placeholderData: keepPreviousData,
  });

export const policyQuery = (policy_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'policy', policy_id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/gateway/policies/{policy_id}', { params: { path: { policy_id } }, signal })),
  });

export const blocksQuery = (query: QueryOf<'/gateway/blocks'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'blocks', query],
    queryFn: async ({ signal }) => {
      const { blocks, total } = await dataOf(api.GET('/gateway/blocks', { params: { query }, signal }));
      return { rows: blocks, total };
    },
    placeholderData: keepPreviousData,
    // A block ends by itself.
    refetchInterval: REFRESH_MS,
  });

export const blockQuery = (block_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'block', block_id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/gateway/blocks/{block_id}', { params: { path: { block_id } }, signal })),
  });

export const circuitsQuery = (query: QueryOf<'/gateway/circuits'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'circuits', query],
    queryFn: async ({ signal }) => {
      const { circuits, total } = await dataOf(api.GET('/gateway/circuits', { params: { query }, signal }));
      return { rows: circuits, total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

export const countsQuery = queryOptions({
  queryKey: [ADMINISTRATION, 'gateway-counts'],
  queryFn: ({ signal }) => dataOf(api.GET('/gateway/stats', { signal })),
  refetchInterval: REFRESH_MS,
});

/** What a call would meet. It is asked as often as one likes, since it calls and counts nothing. */
export const checkQuery = ({ user, key, algorithm, version, address }: CheckSearch) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'check', user, key, algorithm, version, address],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/gateway/check', {
          body: {
            ...(user && { user_id: user }),
            ...(key && { api_key_id: key }),
            ...(algorithm && { algorithm_id: algorithm, version_id: version ?? 'default' }),
            ...(address && { address }),
          },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
    retry: false,
  });

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from 'vitrine/client';
import { api, dataOf } from '../../api/client.ts';
import { ADMINISTRATION, type QueryOf } from '../queries.ts';

export type Repository = components['schemas']['Repository'];
export type Hosting = components['schemas']['CodeHostingConfiguration'];

export const repositoriesQuery = (query: QueryOf<'/repositories'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'repositories', query],
    queryFn: async ({ signal }) => {
      const { repositories, total } = await dataOf(api.GET('/repositories', { params: { query }, signal }));
      return { rows: repositories, total };
    },
    placeholderData: keepPreviousData,
  });

export const repositoryQuery = (repo_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'repository', repo_id],
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/repositories/{repo_id}', { params: { path: { repo_id } }, signal })))
        .repository,
  });

export const hostingQuery = queryOptions({
  queryKey: [ADMINISTRATION, 'hosting'],
  queryFn: ({ signal }) => dataOf(api.GET('/repohost/config', { signal })),
});

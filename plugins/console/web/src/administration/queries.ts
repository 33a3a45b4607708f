import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components, paths } from 'vitrine/client';
import { api, dataOf, dataUnlessOff } from '../api/client.ts';

export type QueryOf<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;
type AnswerOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer A } } } };
}
  ? A
  : never;

export type Group = components['schemas']['Group'];
export type Grant = components['schemas']['Grant'];
export type RouteDetail = components['schemas']['GatewayRouteDetail'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type OneTimeLink = components['schemas']['OneTimeLink'];
export type Member = AnswerOf<'/groups/{group_id}/members'>['members'][number];
export type Plugin = AnswerOf<'/plugins'>['plugins'][number];
export type Setting = AnswerOf<'/settings'>['settings'][number];
export type Job = AnswerOf<'/jobs'>['jobs'][number];

/** What the keys of these queries begin with, whose answers are for administrators. */
export const ADMINISTRATION = 'administration';

/** One page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

export const PAGE_SIZE = 25;

/** Which part of a list a page is. */
export const partOf = (page = 1) => ({ skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE });

export const usersQuery = (query: QueryOf<'/users'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'users', query],
    queryFn: async ({ signal }) => {
      const { users, total } = await dataOf(api.GET('/users', { params: { query }, signal }));
      return { rows: users, total };
    },
    placeholderData: keepPreviousData,
  });

export const userQuery = (user_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'user', user_id],
    queryFn: ({ signal }) => dataOf(api.GET('/users/{user_id}', { params: { path: { user_id } }, signal })),
  });

export const userSessionsQuery = (user_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'sessions', user_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/users/{user_id}/sessions', {
          params: { path: { user_id }, query: { limit: 20 } },
          signal,
        }),
      ),
  });

export const keysOfQuery = (query: QueryOf<'/api-keys'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'keys', query],
    queryFn: async ({ signal }) => {
      const outcome = api.GET('/api-keys', { params: { query }, signal });
      const rows = await dataOf(outcome);
      return { rows, total: Number((await outcome).response.headers.get('X-Total-Count')) };
    },
    placeholderData: keepPreviousData,
  });

export const keyQuery = (key_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'key', key_id],
    queryFn: ({ signal }) => dataOf(api.GET('/api-keys/{key_id}', { params: { path: { key_id } }, signal })),
  });

export const groupsQuery = (query: QueryOf<'/groups'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'groups', query],
    queryFn: async ({ signal }) => {
      const { groups, total } = await dataOf(api.GET('/groups', { params: { query }, signal }));
      return { rows: groups, total };
    },
    placeholderData: keepPreviousData,
  });

export const groupQuery = (group_id: string) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'group', group_id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/groups/{group_id}', { params: { path: { group_id } }, signal })),
  });

export const membersQuery = (group_id: string, page: number) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'members', group_id, page],
    queryFn: async ({ signal }) => {
      const params = { path: { group_id }, query: partOf(page) };
      const { members, total } = await dataOf(api.GET('/groups/{group_id}/members', { params, signal }));
      return { rows: members, total };
    },
    placeholderData: keepPreviousData,
  });

export const grantsQuery = (query: QueryOf<'/permissions/grants'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'grants', query],
    queryFn: async ({ signal }) => {
      const { grants, total } = await dataOf(api.GET('/permissions/grants', { params: { query }, signal }));
      return { rows: grants, total };
    },
    placeholderData: keepPreviousData,
  });

export const auditQuery = (query: QueryOf<'/audit'>) =>
  queryOptions({
    queryKey: [ADMINISTRATION, 'audit', query],
    queryFn: async ({ signal }) => {
      const { entries, total, next_cursor } = await dataOf(api.GET('/audit', { params: { query }, signal }));
      return { rows: entries, total, next: next_cursor };
    },
    placeholderData: keepPreviousData,
  });

/** The installed plugins; `null` where the plugin that tells them is off. */
export const pluginsQuery = queryOptions({
  queryKey: [ADMINISTRATION, 'plugins'],
  queryFn: async ({ signal }) => (await dataUnlessOff(api.GET('/plugins', { signal })))?.plugins ?? null,
  staleTime: 60_000,
});

export const settingsQuery = queryOptions({
  queryKey: [ADMINISTRATION, 'settings'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/settings', { signal }))).settings,
});

export const jobsQuery = queryOptions({
  queryKey: [ADMINISTRATION, 'jobs'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/jobs', { signal }))).jobs,
  refetchInterval: 15_000,
});

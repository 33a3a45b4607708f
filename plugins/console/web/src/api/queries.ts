import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components, paths } from 'vitrine/client';
import { api, ApiError, dataOf, dataUnlessOff } from './client.ts';

export type Algorithm = components['schemas']['Algorithm'];
export type Version = components['schemas']['AlgorithmVersion'];
export type Stats = NonNullable<Algorithm['stats']>;
export type Facets = NonNullable<
  paths['/algorithms']['get']['responses'][200]['content']['application/json']['facets']
>;
export type Example = components['schemas']['VersionExample'];
export type Check = NonNullable<Algorithm['check']>;
export type CheckRun = components['schemas']['CheckRun'];
export type User = components['schemas']['User'];
export type SessionList = components['schemas']['SessionList'];
export type Session = SessionList['sessions'][number];
export type ApiKey = components['schemas']['APIKey'];
export type SignInLink = components['schemas']['SignInLink'];

/** A call record, whichever of its forms it has. */
export interface Call {
  readonly id: string;
  readonly status: string;
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly input_data: Record<string, unknown> | null;
  readonly params: Record<string, unknown> | null;
  readonly output_data?: Record<string, unknown> | null;
  readonly error_message?: string | null;
  readonly error_code?: string | null;
  readonly response_time?: number | null;
  /** Seconds after which the endpoint asked to be called again. */
  readonly retry_after?: number;
  readonly created_at: string;
  readonly request_id: string;
}

export type AlgorithmQuery = NonNullable<paths['/algorithms']['get']['parameters']['query']>;
export type CallSeries = components['schemas']['CallSeries'];
export type SeriesQuery = NonNullable<paths['/monitoring/series']['get']['parameters']['query']>;
export type HistoryQuery = NonNullable<paths['/history/user-calls']['get']['parameters']['query']>;

export const algorithmsQuery = (query: AlgorithmQuery) =>
  queryOptions({
    queryKey: ['algorithms', query],
    queryFn: ({ signal }) => dataOf(api.GET('/algorithms', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const algorithmQuery = (algorithm_id: string) =>
  queryOptions({
    queryKey: ['algorithm', algorithm_id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/algorithms/{algorithm_id}', { params: { path: { algorithm_id } }, signal })),
  });

/** Which share of the callers of an algorithm gets which version; an error where the algorithm has no route. */
export const routeQuery = (algorithm_id: string) =>
  queryOptions({
    queryKey: ['route', algorithm_id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/gateway/routes/{algorithm_id}', { params: { path: { algorithm_id } }, signal })),
    retry: false,
  });

/** The examples of a version with their results; everybody who sees the algorithm reads them. */
export const examplesQuery = (algorithm_id: string, version_id: string) =>
  queryOptions({
    queryKey: ['examples', algorithm_id, version_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/algorithms/{algorithm_id}/versions/{version_id}/examples', {
          params: { path: { algorithm_id, version_id } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });

/** Whether a version works, and why nobody knows where it is unchecked. */
export const versionCheckQuery = (algorithm_id: string, version_id: string) =>
  queryOptions({
    queryKey: ['check', algorithm_id, version_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/algorithms/{algorithm_id}/versions/{version_id}/check', {
          params: { path: { algorithm_id, version_id } },
          signal,
        }),
      ),
    retry: false,
  });

/** The last checks of a version, for those who manage it. */
export const checkRunsQuery = (algorithm_id: string, version_id: string) =>
  queryOptions({
    queryKey: ['checks', algorithm_id, version_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/algorithms/{algorithm_id}/versions/{version_id}/checks', {
          params: { path: { algorithm_id, version_id } },
          signal,
        }),
      ),
    retry: false,
  });

/** How often to ask whether a call has ended. */
const RUNNING_MS = 2_000;

export const callQuery = (call_id: string) =>
  queryOptions({
    queryKey: ['call', call_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/algorithms/calls/{call_id}', { params: { path: { call_id } }, signal }),
      ) as Promise<Call>,
    // A call that ended does not change, and comparing megabytes would freeze the page.
    staleTime: ({ state: { data } }) => (data && data.status !== 'running' ? Infinity : 15_000),
    refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? RUNNING_MS : false),
    structuralSharing: false,
  });

export const historyQuery = (query: HistoryQuery) =>
  queryOptions({
    queryKey: ['history', query],
    queryFn: ({ signal }) => dataOf(api.GET('/history/user-calls', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

/** The first part of the keys of what screens with figures ask for again together. */
export const FIGURES = 'figures';

export type CalledAlgorithm =
  paths['/history/algorithms']['get']['responses'][200]['content']['application/json']['algorithms'][number];

export const callSeriesQuery = (query: SeriesQuery & { readonly user_id: string }) =>
  queryOptions({
    queryKey: [FIGURES, 'own', query],
    queryFn: ({ signal }) => dataOf(api.GET('/history/series', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const calledAlgorithmsQuery = (query: { readonly start_date?: string; readonly end_date?: string }) =>
  queryOptions({
    queryKey: [FIGURES, 'algorithms', query],
    queryFn: ({ signal }) => dataOf(api.GET('/history/algorithms', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const performanceSeriesQuery = (query: SeriesQuery) =>
  queryOptions({
    queryKey: [FIGURES, 'all', query],
    queryFn: ({ signal }) => dataOf(api.GET('/monitoring/series', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export type BusiestCallers = components['schemas']['BusiestCallers'];

export const callersQuery = (query: SeriesQuery) =>
  queryOptions({
    queryKey: [FIGURES, 'callers', query],
    queryFn: ({ signal }) => dataOf(api.GET('/monitoring/callers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export type RefusalSeries = components['schemas']['RefusalSeries'];
export type RefusalsQuery = NonNullable<paths['/gateway/refusals']['get']['parameters']['query']>;

/** What the gateway refused; `null` where there is no gateway. */
export const refusalsQuery = (query: RefusalsQuery) =>
  queryOptions({
    queryKey: [FIGURES, 'refusals', query],
    queryFn: async ({ signal }) =>
      (await dataUnlessOff(api.GET('/gateway/refusals', { params: { query }, signal }))) ?? null,
    placeholderData: keepPreviousData,
  });

export type LoadSeries = components['schemas']['LoadSeries'];
export type LoadQuery = NonNullable<paths['/monitoring/load']['get']['parameters']['query']>;

export const loadQuery = (query: LoadQuery) =>
  queryOptions({
    queryKey: [FIGURES, 'load', query],
    queryFn: ({ signal }) => dataOf(api.GET('/monitoring/load', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const performanceQuery = (algorithm_id: string, days: number) =>
  queryOptions({
    queryKey: ['performance', algorithm_id, days],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/monitoring/performance/algorithm/{algorithm_id}', {
          params: { path: { algorithm_id }, query: { days } },
          signal,
        }),
      ),
  });

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => dataOf(api.GET('/api-keys', { signal })),
});

/** Those that were revoked or have expired as well, until the service deletes them. */
export const keysWithEndedQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: ({ signal }) => dataOf(api.GET('/api-keys', { params: { query: { status: 'all' } }, signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/users/me/sessions', { params: { query: { limit: 100 } }, signal })),
});

/** The account that is signed in; `null` when there is none. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await dataOf(api.GET('/users/me', { signal }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Whether a visitor can register, and what becomes of the first one. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => dataOf(api.GET('/users/registration', { signal })),
  staleTime: 10_000,
});

/** By which providers one can sign in; none where single sign-on is switched off. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async ({ signal }) =>
    (await dataUnlessOff(api.GET('/oidc/providers', { signal })))?.providers ?? [],
  staleTime: Infinity,
});

/** The providers that the account is linked to; none where single sign-on is switched off. */
export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: async ({ signal }) => {
    const query = { limit: 100 };
    return (await dataUnlessOff(api.GET('/oidc/links', { params: { query }, signal })))?.links ?? [];
  },
});

/** Whether a language model makes up input; `null` where there is none to ask. */
export const languageModelQuery = queryOptions({
  queryKey: ['language-model'],
  queryFn: async ({ signal }) => (await dataUnlessOff(api.GET('/llm', { signal }))) ?? null,
  staleTime: Infinity,
});

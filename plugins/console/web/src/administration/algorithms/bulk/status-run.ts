import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api, ApiError, dataOf } from '../../../api/client.ts';
import { meQuery, type Algorithm, type AlgorithmQuery } from '../../../api/queries.ts';
import type { Status } from '../../../catalogue/catalogue-search.ts';

/** An algorithm whose status is changed. */
export type Target = Pick<Algorithm, 'id' | 'name' | 'status'>;

/** One that could not be changed, and why. */
export interface Failure {
  readonly target: Target;
  readonly error: unknown;
}

/** How far a change of many algorithms has come; it goes on while one looks at other screens. */
export interface StatusRun {
  readonly phase: 'looking' | 'running' | 'ended';
  /** The account that changes them; it is shown to no other. */
  readonly by: string | undefined;
  readonly status: Status;
  readonly total: number;
  readonly changed: number;
  /** Those that had the status already. */
  readonly unchanged: number;
  readonly failures: readonly Failure[];
  /** Those that were not come to, because it was stopped or could not go on. */
  readonly left: readonly Target[];
  readonly isStopped: boolean;
  /** What kept it from going on. */
  readonly error: unknown;
}

/** What is changed: these, or all that match a filter. */
export type Chosen =
  | { readonly targets: readonly Target[] }
  | { readonly matching: Omit<AlgorithmQuery, 'skip' | 'limit'> };

const PAGE = 100;

let run: StatusRun | undefined;
let abort: AbortController | undefined;
const listeners = new Set<() => void>();

function set(next: StatusRun | undefined): void {
  run = next;
  for (const listener of listeners) listener();
}

export function useStatusRun(): StatusRun | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => run,
  );
}

export function stopStatusRun(): void {
  abort?.abort();
}

/** Ends what runs, and takes what is shown of it away. */
export function forgetStatusRun(): void {
  abort?.abort();
  abort = undefined;
  set(undefined);
}

/** Gives one algorithm after the other a status. One that fails keeps none of the others from it. */
export async function changeStatus(queries: QueryClient, chosen: Chosen, status: Status): Promise<void> {
  forgetStatusRun();
  const own = new AbortController();
  abort = own;
  const account = (): string | undefined => queries.getQueryData(meQuery.queryKey)?.id;
  let state: StatusRun = {
    phase: 'looking',
    by: account(),
    status,
    total: 0,
    changed: 0,
    unchanged: 0,
    failures: [],
    left: [],
    isStopped: false,
    error: undefined,
  };
  const show = (more: Partial<StatusRun>): void => {
    state = { ...state, ...more };
    if (abort === own) set(state);
  };
  show({});
  // Closing the page would leave the rest as it is.
  const warn = (event: Event): void => event.preventDefault();
  addEventListener('beforeunload', warn);
  let waiting: readonly Target[] = [];
  try {
    waiting = 'targets' in chosen ? chosen.targets : await allMatching(chosen.matching, own.signal);
    show({ phase: 'running', total: waiting.length });
    while (waiting.length > 0) {
      if (account() !== state.by) own.abort();
      own.signal.throwIfAborted();
      const [target, ...rest] = waiting;
      show(await outcomeOf(target!, status, state));
      waiting = rest;
    }
    show({ phase: 'ended' });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) queries.setQueryData(meQuery.queryKey, null);
    const why = own.signal.aborted ? { isStopped: true } : { error };
    show({ phase: 'ended', left: waiting, ...why });
  } finally {
    removeEventListener('beforeunload', warn);
    void queries.invalidateQueries();
  }
}

/** Throws what would keep the others from being changed as well. */
async function outcomeOf(target: Target, status: Status, state: StatusRun): Promise<Partial<StatusRun>> {
  if (target.status === status) return { unchanged: state.unchanged + 1 };
  try {
    const params = { path: { algorithm_id: target.id } };
    await dataOf(api.PUT('/algorithms/{algorithm_id}', { params, body: { status } }));
    return { changed: state.changed + 1 };
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401 && error.status !== 429 && error.status !== 503) {
      return { failures: [...state.failures, { target, error }] };
    }
    throw error;
  }
}

/** By their names, so that none is missed or met twice when a change moves it in the list. */
async function allMatching(
  matching: Omit<AlgorithmQuery, 'skip' | 'limit'>,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const found = new Map<string, Target>();
  for (let skip = 0; ; skip += PAGE) {
    const query = { ...matching, sort: 'name' as const, facets: false, skip, limit: PAGE };
    const { algorithms, total } = await dataOf(api.GET('/algorithms', { params: { query }, signal }));
    for (const { id, name, status } of algorithms) found.set(id, { id, name, status });
    if (algorithms.length === 0 || skip + PAGE >= total) return [...found.values()];
  }
}

import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api, ApiError, dataOf } from '../api/client.ts';
import { algorithmQuery, algorithmsQuery, examplesQuery, meQuery, type Algorithm } from '../api/queries.ts';

interface Counts {
  readonly succeeded: number;
  readonly failed: number;
}

/** How far it has come to run the examples; it goes on while one looks at other screens. */
export type ExampleRuns =
  | { readonly phase: 'none' | 'offered' }
  | (Counts & {
      readonly phase: 'running';
      /** The algorithm whose example runs; absent until the list of algorithms has loaded. */
      readonly name: string | undefined;
      readonly total: number;
    })
  | (Counts & {
      readonly phase: 'ended';
      readonly isStopped: boolean;
      /** What kept the others from being run. */
      readonly error: unknown;
    });

const MOST_RUNS = 20;
const LOOKED_AT = 100;

const candidatesQuery = algorithmsQuery({ status: ['active'], sort: 'created_at', limit: LOOKED_AT });

/** The algorithms whose examples may be run: those that every account may call, the oldest first. */
export const candidates = {
  ...candidatesQuery,
  select: ({ algorithms }: { readonly algorithms: readonly Algorithm[] }): readonly Algorithm[] =>
    algorithms.filter(({ access }) => access === 'open'),
};

let runs: ExampleRuns = { phase: 'none' };
let abort: AbortController | undefined;
const listeners = new Set<() => void>();

function set(next: ExampleRuns): void {
  runs = next;
  for (const listener of listeners) listener();
}

export function useExampleRuns(): ExampleRuns {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => runs,
  );
}

/** Has the catalogue offer it, once. */
export function offerExampleRuns(): void {
  set({ phase: 'offered' });
}

export function stopExampleRuns(): void {
  abort?.abort();
}

/** Ends what runs, and takes what is shown of it away. */
export function forgetExampleRuns(): void {
  abort?.abort();
  abort = undefined;
  set({ phase: 'none' });
}

/** Calls one algorithm after the other with the default example of its default version, as the account that is signed in. */
export async function runExamples(queries: QueryClient): Promise<void> {
  forgetExampleRuns();
  const own = new AbortController();
  abort = own;
  const counts = { succeeded: 0, failed: 0 };
  const end = (why: { readonly isStopped: boolean; readonly error?: unknown }): void => {
    if (abort !== own) return;
    set({ phase: 'ended', ...counts, error: undefined, ...why });
    const changed = new Set(['history', 'algorithms', 'performance']);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => changed.has(String(queryKey[0])) });
  };
  set({ phase: 'running', ...counts, name: undefined, total: 0 });
  try {
    const algorithms = candidates.select(await queries.fetchQuery(candidatesQuery));
    const total = Math.min(MOST_RUNS, algorithms.length);
    for (const { id, name } of algorithms) {
      if (counts.succeeded + counts.failed === MOST_RUNS) break;
      own.signal.throwIfAborted();
      set({ phase: 'running', ...counts, name, total });
      const status = await runExampleOf(queries, id, own.signal);
      if (status) counts[status] += 1;
    }
    end({ isStopped: false });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) queries.setQueryData(meQuery.queryKey, null);
    end(own.signal.aborted ? { isStopped: true } : { isStopped: false, error });
  }
}

/** `undefined` where the algorithm has no default example. Throws what would keep the others from running as well. */
async function runExampleOf(
  queries: QueryClient,
  algorithm_id: string,
  signal: AbortSignal,
): Promise<keyof Counts | undefined> {
  try {
    const { versions } = await queries.fetchQuery(algorithmQuery(algorithm_id));
    const version = versions.find(({ is_default }) => is_default);
    if (!version) return undefined;
    const examples = await queries.fetchQuery(examplesQuery(algorithm_id, version.id));
    const example = examples.find(({ is_default }) => is_default);
    if (!example) return undefined;
    const { input_data, params } = example;
    const body = { algorithm_id, version_id: version.id, input_data, params };
    const { status } = await dataOf(api.POST('/algorithms/call', { body, signal }));
    return status === 'success' ? 'succeeded' : 'failed';
  } catch (error) {
    if (error instanceof ApiError && concernsThisCallAlone(error)) return 'failed';
    throw error;
  }
}

function concernsThisCallAlone({ status }: ApiError): boolean {
  return status < 500 && status !== 401 && status !== 429;
}

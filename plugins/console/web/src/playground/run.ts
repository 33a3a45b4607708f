import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, ApiError, dataOf } from '../api/client.ts';
import { callQuery, meQuery, type Call } from '../api/queries.ts';
import type { CallBody } from './code.ts';

/** A call that ended, with what was sent. */
export interface Done {
  readonly body: CallBody;
  readonly call: Call;
}

export interface Run {
  readonly isRunning: boolean;
  readonly isStopped: boolean;
  readonly done: Done | undefined;
  /** Why the service refused the last call. */
  readonly error: unknown;
  readonly start: (body: CallBody) => void;
  readonly stop: () => void;
}

interface State {
  readonly isRunning: boolean;
  readonly isStopped: boolean;
  readonly done?: Done | undefined;
  readonly error?: unknown;
}

/** Runs calls, one at a time; the result of the one before stays until the next one has one. */
export function useRun({ onSignedOut }: { readonly onSignedOut: () => void }): Run {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ isRunning: false, isStopped: false });
  const abort = useRef<AbortController>(undefined);
  const signedOut = useRef(onSignedOut);
  useEffect(() => {
    signedOut.current = onSignedOut;
  }, [onSignedOut]);

  const start = useCallback(
    (body: CallBody): void => {
      abort.current?.abort();
      const own = new AbortController();
      abort.current = own;
      setState(({ done }) => ({ done, isRunning: true, isStopped: false }));
      const end = (after: Partial<State>): void => {
        if (abort.current === own)
          setState(({ done }) => ({ done, isRunning: false, isStopped: false, ...after }));
      };
      dataOf(api.POST('/algorithms/call', { body, signal: own.signal })).then(
        (answer) => {
          const call = answer as Call;
          queries.setQueryData(callQuery(call.id).queryKey, call);
          void queries.invalidateQueries({ queryKey: ['history'] });
          end({ done: { body, call } });
        },
        (error: unknown) => {
          if (own.signal.aborted) return end({ isStopped: true });
          if (!(error instanceof ApiError && error.status === 401)) return end({ error });
          // The session ended meanwhile.
          queries.setQueryData(meQuery.queryKey, null);
          end({});
          signedOut.current();
        },
      );
    },
    [queries],
  );
  const stop = useCallback(() => abort.current?.abort(), []);
  return { done: undefined, error: undefined, ...state, start, stop };
}

/** What is wrong with which field: from JSON pointers such as `/body/input_data/text` to sentences. */
export function errorsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return new Map(
    error.errors.map(({ pointer, message }) => [
      pointer.startsWith('/body') ? pointer : `/body${pointer}`,
      message,
    ]),
  );
}

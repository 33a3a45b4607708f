import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';

/** A request to the language model: one at a time, which can be stopped. */
export interface Asking {
  readonly isAsking: boolean;
  /** Why the last request has no answer; nothing where it was stopped. */
  readonly error: unknown;
  /** Sends a request and hands on its answer. */
  readonly ask: <T>(request: (signal: AbortSignal) => Promise<T>, take: (answer: T) => void) => void;
  readonly stop: () => void;
}

export function useAsking(): Asking {
  const queries = useQueryClient();
  const abort = useRef<AbortController>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const stop = (): void => abort.current?.abort();
  useEffect(() => () => abort.current?.abort(), []);

  const ask: Asking['ask'] = (request, take) => {
    stop();
    const own = new AbortController();
    abort.current = own;
    setAsking(true);
    setError(undefined);
    request(own.signal)
      .then(take, (reason: unknown) => {
        if (own.signal.aborted) return;
        // The session ended meanwhile: trying again asks to sign in.
        if (reason instanceof ApiError && reason.status === 401) queries.setQueryData(meQuery.queryKey, null);
        setError(reason);
      })
      .finally(() => abort.current === own && setAsking(false));
  };
  return { isAsking, error, ask, stop };
}

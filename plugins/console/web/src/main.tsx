import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client.ts';
import { meQuery } from './api/queries.ts';
import { untilBack } from './api/reachability.ts';
import { followSession } from './api/session.ts';
import { createConsoleRouter } from './router.tsx';
import { loadLanguage } from './texts/text.ts';
import { applyTheme } from './theme.ts';

/** A refused session is over, and the screens ask to sign in; a service that is away is asked for until it is back. */
function noticed(error: unknown): void {
  if (!(error instanceof ApiError)) void untilBack().then(() => queries.invalidateQueries());
  else if (error.status === 401) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticed }),
  mutationCache: new MutationCache({ onError: noticed }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the service refuses it would refuse again; only one that was away may be back.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
    // Offline, a change fails at once: one that waited would still be made after it was given up.
    mutations: { networkMode: 'always' },
  },
});
const router = createConsoleRouter(queries);

async function start(): Promise<void> {
  followSession(queries);
  applyTheme();
  await loadLanguage();
  createRoot(document.querySelector('#app')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
